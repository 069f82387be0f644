import path from 'node:path';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { AgentVariable } from '#contract/agents.ts';
import type { Mocks } from '#contract/mocks.ts';
import { findAgent } from '#runs/request/agentCheck.ts';
import { selectTrigger } from '#runs/request/agentTrigger.ts';
import { readLocalText } from '#runs/request/localFiles.ts';
import { Placeholders } from '#runs/request/placeholders.ts';
import { RunFileValues } from '#runs/request/runFileValues.ts';
import type { Secrets } from '#runs/request/secrets.ts';
import { parseTypedValue } from '#runs/request/typedValue.ts';
import { attackInputs } from '../attacks/attackInputs.ts';
import { formatRowName, getRowOrdinal, getTemplateValues } from '../datasets/datasetCases.ts';
import type { DatasetRow } from '../datasets/datasetRow.ts';
import { isTextFormat } from '../datasets/datasetRows.ts';
import { fillTemplate, MissingColumn, TooLongTemplate } from '../datasets/templates.ts';
import type {
	CheckFields,
	FormAnswersByNode,
	Suite,
	SuiteAttack,
	SuiteCase,
	SuiteCheck,
	SuitePlace,
	SuiteTarget,
	SuiteTurn,
} from '../suite.ts';
import type { SuiteService } from './suiteService.ts';

/** A case to run. */
export interface CaseWork {
	readonly ordinal: number;
	readonly name: string;
	readonly row?: number;
	/** See `CaseResult.nth`. */
	readonly nth?: number;
	readonly place: SuitePlace;
	readonly target: SuiteTarget;
	readonly user: string;
	readonly checks: readonly SuiteCheck[];
	readonly mocks: Mocks;
	/** Values of the dataset row, by column. */
	readonly values: Readonly<Record<string, unknown>> | undefined;
	readonly fromText: boolean;
	/** Creates the fields of the request, with local files read or uploaded. Rejects with a {@link CaseFault}. */
	readonly createRequest: () => Promise<RequestFields>;
	/** Name of the variant to run. */
	readonly variant?: string;
	/** Text of the agent to run instead of its file. */
	readonly source?: string;
	readonly attack?: SuiteAttack;
	/** Creates the request for a message of the attacker. */
	readonly createAttackRequest?: (fields: RequestFields, text: string) => RequestFields;
	readonly forms?: FormAnswersByNode;
	readonly turns?: readonly TurnWork[];
	readonly onTurnFailure?: SuiteCase['onTurnFailure'];
	readonly simulation?: SuiteCase['simulation'];
}

/** A turn of a conversation. */
export interface TurnWork extends Pick<SuiteTurn, 'place' | 'checks' | 'forms'> {
	readonly createRequest: () => Promise<RequestFields>;
}

/** Request fields of a case other than model, user and mocks. */
export interface RequestFields {
	readonly inputs: Readonly<Record<string, unknown>>;
	readonly [field: string]: unknown;
}

/** A case that can't be converted to a request. */
export class CaseFault extends Error {
	override readonly name = 'CaseFault';
}

const expected = 'expect:';

/** Creates the cases of a suite for a service. */
export class CaseMaker {
	readonly #suite: Suite;
	readonly #service: SuiteService;
	/** Asks for each placeholder once per batch. */
	readonly #placeholders: Placeholders;
	/** Number of rows so far by name. */
	readonly #named = new Map<string, number>();
	/** Default fields of rows, created once. */
	#defaults: Promise<RequestFields> | undefined;

	constructor(suite: Suite, service: SuiteService) {
		this.#suite = suite;
		this.#service = service;
		this.#placeholders = new Placeholders(service.placeholders, fillPlaceholders);
	}

	/** Placeholder values that must not appear in results. */
	get secrets(): Secrets {
		return this.#placeholders.secrets;
	}

	/**
	 * Returns the number of a row among those with the same name, from 1. Must be called once per row, in order. `undefined` if the suite
	 * has no snapshots, which are its only use.
	 */
	getNameOrdinal(row: Extract<DatasetRow, { values: unknown }>): number | undefined {
		const dataset = this.#suite.dataset!;
		const name = dataset.checks.some(({ kind }) => kind === 'snapshot') ? formatRowName(dataset, row) : undefined;
		if (name === undefined) {
			return undefined;
		}
		const nth = (this.#named.get(name) ?? 0) + 1;
		this.#named.set(name, nth);
		return nth;
	}

	/** Creates a case from the suite or a run file. */
	createCaseWork(each: SuiteCase): CaseWork {
		const { ordinal, name, place, target, checks, mocks, request, runFile, attack, forms, turns, onTurnFailure, simulation } = each;
		const user = each.user ?? this.#user;
		const folder = path.dirname(runFile ?? this.#suite.file);
		return {
			ordinal,
			name,
			place,
			target,
			user,
			checks,
			mocks,
			values: undefined,
			fromText: false,
			createRequest: async () => {
				const fields = await this.#createRequest(request, target, user, folder);
				return attack && !attack.attacker ? attackInputs(fields, attack, this.#findVariables(target, fields)) : fields;
			},
			...(attack && {
				attack,
				createAttackRequest: (fields: RequestFields, text: string) =>
					typeof fields['query'] === 'string'
						? { ...fields, query: text }
						: attackInputs(fields, { ...attack, into: 'input-values', text }, this.#findVariables(target, fields)),
			}),
			...(forms && { forms }),
			...(simulation && { simulation }),
			...(turns && {
				onTurnFailure,
				turns: turns.map(turn => ({ ...turn, createRequest: () => this.#createRequest(turn.request, target, user, folder) })),
			}),
		};
	}

	/**
	 * Creates a case from a row. Throws a {@link CaseFault} if its columns don't match the templates.
	 * @param nth see {@link getNameOrdinal}
	 */
	createRowWork(row: Extract<DatasetRow, { values: unknown }>, nth?: number): CaseWork {
		const dataset = this.#suite.dataset!;
		const target = this.#suite.target!;
		const place: SuitePlace = { file: dataset.file, offset: 0, length: 0, line: row.line, column: 1 };
		const values = getTemplateValues(row);
		const fillRowTemplate = <T>(template: T): T => {
			try {
				return fillTemplate(template, values) as T;
			} catch (error) {
				if (error instanceof TooLongTemplate) {
					throw new CaseFault(error.message);
				}
				throw error instanceof MissingColumn ? new CaseFault(`The row has no column '${error.column}', which the suite uses.`) : error;
			}
		};
		const columns = Object.entries(row.values).filter(([name]) => name.startsWith(expected));
		const own: SuiteCheck[] = columns.map(([name, value]) => {
			if (name === expected) {
				throw new CaseFault("The column 'expect:' doesn't name an output. Use 'expect:NAME'.");
			}
			const fields: CheckFields = { output: name.slice(expected.length), equals: value };
			return { fields, kind: 'equals', place };
		});
		return {
			ordinal: getRowOrdinal(this.#suite, row.row),
			name: formatRowName(dataset, row) ?? `row ${row.row}`,
			row: row.row,
			...(nth !== undefined && { nth }),
			place,
			target,
			user: this.#user,
			checks: [...own, ...dataset.checks.map(check => ({ ...check, fields: fillRowTemplate(check.fields) }))],
			// the service validates them
			mocks: fillRowTemplate(dataset.mocks) as Mocks,
			values: row.values,
			fromText: isTextFormat(dataset.format),
			createRequest: async () => {
				this.#defaults ??= this.#createRequest(dataset.defaults, target, this.#user, path.dirname(this.#suite.file));
				const { inputs: under, ...defaults } = await this.#defaults;
				const inputs = dataset.inputs ? fillRowTemplate(dataset.inputs) : this.#filterColumns(row.values, target, defaults);
				const query = dataset.query === undefined ? {} : { query: String(fillRowTemplate(dataset.query)) };
				return { ...defaults, ...query, inputs: { ...under, ...(await this.#createInputs(inputs, target, defaults)) } };
			},
		};
	}

	get #user(): string {
		return this.#suite.user ?? this.#service.user;
	}

	async #createRequest(request: SuiteCase['request'], target: SuiteTarget, user: string, folder: string): Promise<RequestFields> {
		const { upload } = this.#service;
		const scope = { folder, root: this.#suite.root };
		const values = new RunFileValues({
			agent: this.#findAgent(target, getTrigger(request)),
			connection: this.#service.name,
			scope,
			placeholders: this.#placeholders,
			upload: upload && ((reference, type) => upload(reference, scope, type, { model: target.model, user })),
			t: fillPlaceholders,
		});
		const body = await values.makeBody(request);
		const [fault] = values.faults;
		if (fault) {
			throw new CaseFault(fault.message);
		}
		return { ...body, ...(this.#suite.cache && { cache: true }), inputs: (body['inputs'] ?? {}) as RequestFields['inputs'] };
	}

	/** Returns the columns that are inputs of the agent, or all except `expect:` columns if its inputs aren't known. */
	#filterColumns(
		values: Readonly<Record<string, unknown>>,
		target: SuiteTarget,
		request: Readonly<Record<string, unknown>>,
	): Record<string, unknown> {
		const known = this.#findVariables(target, request);
		return Object.fromEntries(
			Object.entries(values).filter(([name]) => !name.startsWith(expected) && (!known || known.some(({ variable }) => variable === name))),
		);
	}

	/** Converts the inputs of a row to the types of the agent's variables, with local files read or uploaded. */
	async #createInputs(
		inputs: Readonly<Record<string, unknown>>,
		target: SuiteTarget,
		request: Readonly<Record<string, unknown>>,
	): Promise<Record<string, unknown>> {
		const variables = this.#findVariables(target, request);
		const made = Object.entries(inputs).map(async ([name, value]) => {
			const variable = variables?.find(each => each.variable === name);
			return [name, await this.#convertInput(value, variable, target)] as const;
		});
		return Object.fromEntries(await Promise.all(made));
	}

	async #convertInput(value: unknown, variable: AgentVariable | undefined, target: SuiteTarget): Promise<unknown> {
		const { upload } = this.#service;
		const scope = { folder: path.dirname(this.#suite.file), root: this.#suite.root };
		const file = toLocalFile(value);
		if (Array.isArray(value)) {
			return Promise.all(
				value.map(each => (toLocalFile(each) ? this.#convertInput(each, { ...variable, type: 'file' } as AgentVariable, target) : each)),
			);
		}
		if (file === undefined) {
			if (typeof value !== 'string' || !variable || value === '') {
				return value;
			}
			const typed = parseTypedValue(variable, value);
			// the service rejects invalid values with its own message
			return typed === 'wrong' ? value : typed.value;
		}
		if (variable?.type !== 'file') {
			return readLocalText(file.$file, scope, fillPlaceholders).catch(throwCaseFault);
		}
		if (!upload) {
			throw new CaseFault(`'${this.#service.name}' doesn't support uploads. Use a file with "transfer_method": "remote_url".`);
		}
		return upload(file.$file, scope, file.type, { model: target.model, user: this.#user });
	}

	#findAgent(target: SuiteTarget, trigger: string | undefined) {
		const agent = target.kind === 'agent' ? this.#service.agents && findAgent(this.#service.agents, target.model) : undefined;
		return agent && selectTrigger(agent, trigger);
	}

	/** Returns the variables of the agent; `undefined` if unknown. */
	#findVariables(target: SuiteTarget, request: Readonly<Record<string, unknown>>): readonly AgentVariable[] | undefined {
		const agent = this.#findAgent(target, request['trigger'] as string | undefined);
		return agent && (agent.file !== null || agent.variables.length > 0) ? agent.variables : undefined;
	}
}

function getTrigger(request: SuiteCase['request']): string | undefined {
	const property = request.children?.find(({ children }) => children?.[0]?.value === 'trigger');
	return property?.children?.[1]?.value as string | undefined;
}

function toLocalFile(value: unknown): { readonly $file: string; readonly type?: string } | undefined {
	return typeof value === 'object' && value !== null && '$file' in value && typeof value.$file === 'string'
		? (value as { $file: string; type?: string })
		: undefined;
}

function throwCaseFault(error: unknown): never {
	throw new CaseFault((error as Error).message);
}
