import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { AgentSummary } from '#contract/agents.ts';
import { findModelPrice } from '#contract/text/modelPrices.ts';
import { computeCost } from '#contract/text/tokenPrice.ts';
import { canCreateValue, createAgentRows } from '#suites/generation/inputRows.ts';
import { createRowSchema, estimateModelRows, writeModelRows } from '#suites/generation/modelRows.ts';
import { mostPastRuns, readPastRuns } from '#suites/generation/pastRuns.ts';
import { type GeneratedRow, type SampledRun, sampleRuns } from '#suites/generation/runSample.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import { formatNumber } from '../../platform/format.ts';
import { readPriceSettings } from '../../platform/priceSettings.ts';
import { runWithProgress } from '../../platform/progress.ts';
import { escapeLinks, formatTokens } from '../../platform/wording.ts';
import { kindsWithLogs } from '../../runs/logs/logsTarget.ts';
import { formatCost } from '../results/resultViews.ts';
import { readLocalRuns } from './localRuns.ts';
import type { SuiteDataParts } from './suiteData.ts';

type DatasetSource = 'runs' | 'variables' | 'model';

/** The agent that rows are made for. */
export interface DatasetTarget {
	readonly connection: Connection;
	readonly agent: AgentSummary;
}

/** Rows that aren't written yet. */
export interface CreatedRows {
	readonly rows: readonly GeneratedRow[];
	/** Sentences about what was skipped or changed. */
	readonly notes: readonly string[];
}

const defaultCount = 20;
const mostRows = 1000;

/** Makes the rows of datasets: from past runs, from start variables, or with a model. */
export class DatasetSources {
	readonly #connections: Pick<Connections, 'getClient' | 'listMessagesModels' | 'toProblem'>;
	readonly #reader: SuiteDataParts['reader'];

	constructor({ connections, reader }: Pick<SuiteDataParts, 'connections' | 'reader'>) {
		this.#connections = connections;
		this.#reader = reader;
	}

	/** Asks where the rows come from. Resolves to `undefined` if the user cancels. */
	async chooseSource(): Promise<DatasetSource | undefined> {
		const items = [
			{
				label: vscode.l10n.t('From past runs'),
				detail: vscode.l10n.t('Failures and rare paths first, without near-duplicates, with personal data masked'),
				iconPath: new vscode.ThemeIcon('history'),
				source: 'runs' as const,
			},
			{
				label: vscode.l10n.t('From the start variables'),
				detail: vscode.l10n.t('Values at the limits, empty and long texts, and texts that often show mistakes'),
				iconPath: new vscode.ThemeIcon('symbol-variable'),
				source: 'variables' as const,
			},
			{
				label: vscode.l10n.t('With a model'),
				detail: vscode.l10n.t('A model writes rows for the inputs of the agent'),
				iconPath: new vscode.ThemeIcon('sparkle'),
				source: 'model' as const,
			},
		];
		const placeHolder = vscode.l10n.t('Select where the rows come from');
		return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Create Dataset'), placeHolder }))?.source;
	}

	/**
	 * Asks for what the source needs and makes the rows, with progress that can be canceled. Resolves to `undefined` if the user cancels.
	 * Rejects with a {@link Problem} if there are no rows.
	 */
	async createRows(source: DatasetSource, target: DatasetTarget): Promise<CreatedRows | undefined> {
		const { agent } = target;
		const file = source === 'runs' ? undefined : agent.variables.find(variable => !canCreateValue(variable));
		if (file) {
			const message = vscode.l10n.t(
				"Can't create rows for '{0}': its input '{1}' is a file. Create them from past runs.",
				agent.name,
				file.variable,
			);
			throw new Problem('file-input', message);
		}
		const count = await askForCount();
		if (count === undefined) {
			return undefined;
		}
		switch (source) {
			case 'runs':
				return this.#createFromRuns(target, count);
			case 'variables':
				return { rows: createAgentRows(agent, count, '1'), notes: [] };
			case 'model':
				return this.#createWithModel(target, count);
		}
	}

	async #createFromRuns({ connection, agent }: DatasetTarget, count: number): Promise<CreatedRows | undefined> {
		const expect = await askForExpectations();
		if (expect === undefined) {
			return undefined;
		}
		const runs = await this.#runWork(connection, vscode.l10n.t("Reading runs of '{0}'", agent.name), (signal, report) =>
			this.#readRuns(connection, agent.name, signal, report),
		);
		if (!runs) {
			return undefined;
		}
		const { rows, duplicates, withFiles, masked } = await sampleRuns(runs, { count, seed: '1', expect });
		if (rows.length === 0) {
			throw new Problem(
				'no-rows',
				vscode.l10n.t("'{0}' has no finished runs to create rows from. Runs with files are skipped.", agent.name),
			);
		}
		return {
			rows,
			notes: [
				...(duplicates > 0 ? [vscode.l10n.t('Skipped runs with nearly the same inputs: {0}.', duplicates)] : []),
				...(withFiles > 0 ? [vscode.l10n.t('Skipped runs with files: {0}.', withFiles)] : []),
				...(masked > 0 ? [describeMasked(masked)] : []),
			],
		};
	}

	/** Reads the runs of this editor, and then those of the log of the service if it has one. */
	async #readRuns(
		{ id, kind }: Connection,
		agent: string,
		signal: AbortSignal,
		report: (message: string) => void,
	): Promise<readonly SampledRun[]> {
		const local = await readLocalRuns(this.#reader, { connectionId: id, agent, most: mostPastRuns }, signal);
		const most = mostPastRuns - local.length;
		if (most === 0 || !kindsWithLogs.includes(kind)) {
			return local;
		}
		const client = await this.#connections.getClient(id);
		const onRead = (done: number, total: number) => report(`${formatNumber(done)}/${formatNumber(total)}`);
		const known = new Set(local.map(run => run.id));
		return [...local, ...(await readPastRuns(client, agent, most, { signal, known, onRead }))];
	}

	async #createWithModel({ connection, agent }: DatasetTarget, count: number): Promise<CreatedRows | undefined> {
		const model = await this.#chooseModel(connection);
		const about = model && (await askForTopic());
		if (about === undefined) {
			return undefined;
		}
		const schema = createRowSchema(agent, about);
		if (!(await confirmCost(connection, model!, count, estimateModelRows(schema, { model: model!, count })))) {
			return undefined;
		}
		const client = await this.#connections.getClient(connection.id);
		const written = await this.#runWork(connection, vscode.l10n.t("Creating rows with '{0}'", model!), signal =>
			writeModelRows(schema, { model: model!, count }, body => client.createMessage(body, { signal })),
		);
		if (!written) {
			return undefined;
		}
		const { rows, unfit, tokens } = written;
		if (rows.length === 0) {
			throw new Problem(
				'no-rows',
				vscode.l10n.t("'{0}' wrote no rows that fit the inputs of '{1}'. Choose another model.", model!, agent.name),
			);
		}
		return {
			rows,
			notes: [
				vscode.l10n.t({
					message: 'Used {0}.',
					args: [formatTokens(tokens)],
					comment: ['{0} is a number of tokens, such as "1,200 tokens"'],
				}),
				...(unfit > 0 ? [vscode.l10n.t("Skipped rows that don't fit the inputs: {0}.", unfit)] : []),
			],
		};
	}

	async #chooseModel({ id, name }: Connection): Promise<string | undefined> {
		const models = await this.#connections.listMessagesModels(id);
		if (models.length === 0) {
			throw new Problem('no-models', vscode.l10n.t("'{0}' lists no models that could write rows.", name));
		}
		const items = models.map(label => ({ label, iconPath: new vscode.ThemeIcon('sparkle') }));
		const placeHolder = vscode.l10n.t("Select a model of '{0}'", name);
		return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Create Dataset'), placeHolder }))?.label;
	}

	/** Resolves to `undefined` if the user cancels. Rejects with the problem of the connection. */
	async #runWork<T>(
		{ id }: Connection,
		title: string,
		work: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
	): Promise<T | undefined> {
		return runWithProgress(title, async (signal, report) => {
			try {
				return await work(signal, report);
			} catch (error) {
				if (signal.aborted) {
					return undefined;
				}
				throw this.#connections.toProblem(id, error);
			}
		});
	}
}

/** Says that personal data was masked. `count` is the number of different values. */
export function describeMasked(count: number): string {
	return vscode.l10n.t('Masked personal data: {0}. Check the result, because not all of it is recognized.', count);
}

async function askForCount(): Promise<number | undefined> {
	const answer = await vscode.window.showInputBox({
		title: vscode.l10n.t('Number of rows'),
		value: String(defaultCount),
		validateInput: value => {
			const count = Number(value);
			return Number.isInteger(count) && count >= 1 && count <= mostRows
				? undefined
				: vscode.l10n.t('Enter a whole number from 1 to {0}.', mostRows);
		},
	});
	return answer === undefined ? undefined : Number(answer);
}

async function askForExpectations(): Promise<boolean | undefined> {
	const items = [
		{ label: vscode.l10n.t('Only inputs'), expect: false },
		{ label: vscode.l10n.t('Inputs and outputs'), detail: vscode.l10n.t('Rows of successful runs expect the same outputs'), expect: true },
	];
	const placeHolder = vscode.l10n.t('Select what the rows contain');
	return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Create Dataset'), placeHolder }))?.expect;
}

function askForTopic(): Thenable<string | undefined> {
	return vscode.window.showInputBox({
		title: vscode.l10n.t('What should the rows be about?'),
		prompt: vscode.l10n.t('Optional. For example, complaints about late parcels.'),
	});
}

/** Asks whether a model should write rows, with the expected tokens and cost. */
async function confirmCost(
	{ baseUrl }: Connection,
	model: string,
	count: number,
	{ requests, input, output }: ReturnType<typeof estimateModelRows>,
): Promise<boolean> {
	const price = findModelPrice(readPriceSettings(), baseUrl === undefined ? '' : new URL(baseUrl).origin, model);
	const amounts = [
		formatTokens(input + output),
		...(price ? [formatCost(computeCost({ input, cached: 0, output }, price), price.currency)] : []),
	].join(' · ');
	const detail = [
		vscode.l10n.t('Requests, at least: {0}', formatNumber(requests)),
		vscode.l10n.t({ message: 'Estimated: {0}', args: [amounts], comment: ['{0} is a number of tokens and an amount of money'] }),
		...(price ? [] : [vscode.l10n.t("The price of '{0}' isn't known.", model)]),
	].join('\n');
	const start = vscode.l10n.t({ message: 'Start', comment: ['verb: button that starts the runs'] });
	const question =
		count === 1 ? vscode.l10n.t("Create 1 row with '{0}'?", model) : vscode.l10n.t("Create {0} rows with '{1}'?", count, model);
	return (await vscode.window.showInformationMessage(escapeLinks(question), { modal: true, detail }, start)) === start;
}
