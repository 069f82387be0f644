import { createHash } from 'node:crypto';
import path from 'node:path';
import { getNodeValue, type Node } from 'jsonc-parser';
import { checkSchema, type JsonSchema, resolveSchema } from '#base/text/schemaCheck.ts';
import { findProperty, getValueRange } from '#base/text/textFaults.ts';
import { EventLoopYield } from '#base/timing/eventLoopYield.ts';
import type { RecordingSettings } from '#contract/recordings/recordings.ts';
import { checkAgent, checkInputs } from '#runs/request/agentCheck.ts';
import { selectTrigger } from '#runs/request/agentTrigger.ts';
import { parseJsonText } from '#runs/request/jsonText.ts';
import suiteSchema from '../../../media/suite.schema.json' with { type: 'json' };
import type { BatchLimits, ChatEndpoint, ReadSuite, Suite, SuiteCheck, SuiteTarget } from '../suite.ts';
import { expandAttacks } from './expandAttacks.ts';
import { readChecks } from './readChecks.ts';
import { type AttackedAgent, type SuiteContext, SuiteReading } from './readContext.ts';
import { readConversation } from './readConversation.ts';
import { readDataset } from './readDataset.ts';
import { readGate } from './readGate.ts';
import { readJudges } from './readJudges.ts';
import { findSuiteRunFiles, readRunFileCase, type UnnumberedCase } from './readRunFiles.ts';
import { readVariants } from './readVariants.ts';
import { createObjectNode, readMockNodes } from './requestNodes.ts';
import { SuiteText } from './suiteText.ts';

const schema = suiteSchema as unknown as JsonSchema;
const caseSchema = resolveSchema(schema.properties!['defaults']!, schema).properties!;
/** Schemas of the suite fields in run files. */
const parts = { expect: caseSchema['expect']!, mocks: caseSchema['mocks']!, root: schema };

const defaultConcurrency = 4;

/**
 * Reads a suite file, its run files and the columns of its dataset. `file` is its absolute path; the text may be newer than on disk.
 * Never rejects: errors become problems.
 */
export async function readSuite(text: string, file: string, context: SuiteContext): Promise<ReadSuite> {
	const yielder = new EventLoopYield();
	const reading = new SuiteReading(context);
	const { t } = context;
	const suiteText = new SuiteText(file, text);
	const { root, fault } = parseJsonText(text, { comments: true, expected: t("a JSON object with 'model' and 'cases'") }, t);
	if (fault || !root) {
		reading.reportFaults(suiteText, ...(fault ? [fault] : []));
		return { suite: undefined, faults: reading.faults };
	}
	if (root.type !== 'object') {
		const message = t("The file must contain a JSON object with 'model' and 'cases'.");
		reading.reportFaults(suiteText, { code: 'wrong-type', severity: 'error', path: [], ...getValueRange(root), message });
		return { suite: undefined, faults: reading.faults };
	}
	if (yielder.isDue) {
		await yielder.yieldTurn();
	}
	reading.reportFaultList(suiteText, checkSchema(root, schema, schema, t));
	const suite = reading.faults.length === 0 ? await new SuiteReader(text, suiteText, root, reading).readSuiteObject() : undefined;
	return { suite: reading.faults.some(({ severity }) => severity === 'error') ? undefined : suite, faults: reading.faults };
}

/** Reads a suite that matches the schema. */
class SuiteReader {
	readonly #text: SuiteText;
	readonly #root: Node;
	readonly #reading: SuiteReading;
	readonly #hash = createHash('sha256');
	readonly #cases: UnnumberedCase[] = [];
	readonly #names = new Map<string, UnnumberedCase>();
	#target: SuiteTarget | undefined;
	#nodes: ReadonlySet<string> | undefined;
	#attacked: AttackedAgent | undefined;

	constructor(content: string, text: SuiteText, root: Node, reading: SuiteReading) {
		this.#text = text;
		this.#root = root;
		this.#reading = reading;
		this.#hash.update(content);
	}

	async readSuiteObject(): Promise<Suite> {
		const yielder = new EventLoopYield();
		this.#target = this.#readTarget();
		if (this.#target?.kind === 'agent') {
			this.#nodes = await this.#reading.readNodeIds(this.#target.model);
			this.#attacked = await this.#reading.readAttackedAgent(this.#target.model);
		}
		this.#hash.update(await readJudges(findProperty(this.#root, 'judges'), this.#text, this.#reading));
		const [defaults, recordings, limits] = ['defaults', 'recordings', 'limits'].map(name => findProperty(this.#root, name));
		const checks = this.#readChecks(defaults);
		this.#reading.checkMocks(findProperty(defaults, 'mocks'), this.#text, this.#nodes);
		for (const node of findProperty(this.#root, 'cases')?.children ?? []) {
			if (this.#reading.isOver) {
				break;
			}
			if (yielder.isDue) {
				await yielder.yieldTurn();
			}
			const pattern = node.type === 'string' ? node : findProperty(node, 'run');
			if (pattern) {
				await this.#readRunFiles(pattern, node, checks);
			} else {
				this.#readCase(node, defaults, checks);
			}
		}
		const dataset = await this.#readDatasetHead(defaults, checks);
		if ((findProperty(this.#root, 'cases')?.children ?? []).length === 0 && !findProperty(this.#root, 'dataset')) {
			this.#reportFault(this.#root, 'no-case', this.#t("The suite has no test cases. Add some to 'cases', or add a 'dataset'."));
		}
		return {
			file: this.#text.file,
			root: this.#reading.context.root,
			name: path.basename(this.#text.file).replace(/(\.suite)?\.json$/, ''),
			fingerprint: this.#hash.digest('hex'),
			target: this.#target,
			user: findProperty(this.#root, 'user')?.value as string | undefined,
			cases: this.#cases.map((each, ordinal) => ({ ordinal, ...each })),
			dataset,
			matrix: readVariants(
				this.#root,
				{ target: this.#target, cases: this.#cases },
				this.#nodes,
				(at, code, message) => this.#reportFault(at, code, message),
				this.#t,
			),
			judges: this.#reading.judges,
			limits: limits && (getNodeValue(limits) as BatchLimits),
			gate: readGate(this.#root, this.#names, (at, code, message) => this.#reportFault(at, code, message), this.#t),
			cache: findProperty(this.#root, 'cache')?.value === true,
			recordings: recordings && (getNodeValue(recordings) as RecordingSettings),
			repeat: this.#readNumber(
				'repeat',
				1,
				value => Number.isInteger(value) && value >= 1,
				this.#t("'repeat' must be a whole number of at least 1."),
			),
			passRate: this.#readNumber('pass_rate', 1, value => value >= 0 && value <= 1, this.#t("'pass_rate' must be a number from 0 to 1.")),
			concurrency: this.#readNumber(
				'concurrency',
				defaultConcurrency,
				value => Number.isInteger(value) && value >= 1 && value <= 256,
				this.#t("'concurrency' must be a whole number from 1 to 256."),
			),
		};
	}

	#readTarget(): SuiteTarget | undefined {
		const model = findProperty(this.#root, 'model');
		const chat = findProperty(this.#root, 'chat');
		if (model && chat) {
			this.#reportFault(chat, 'unknown-field', this.#t("The suite has both 'model' and 'chat'. Use only one of them."));
		}
		if (chat) {
			const { endpoint, model: name, ...body } = getNodeValue(chat) as { endpoint: ChatEndpoint; model: string };
			return { kind: 'chat', endpoint, model: name, body };
		}
		if (!model) {
			return undefined;
		}
		const { agents, connection, t } = this.#reading.context;
		if (agents) {
			const root = createObjectNode(this.#root, [['model', model]]);
			this.#reading.reportFaults(
				this.#text,
				...checkAgent({ root, agent: model.value, inputs: undefined, faults: [] }, agents, connection, t),
			);
		}
		return { kind: 'agent', model: model.value };
	}

	#readCase(node: Node, defaults: Node | undefined, checks: readonly SuiteCheck[]): void {
		const name = findProperty(node, 'name')!;
		if (!this.#target) {
			this.#reportFault(node, 'missing-field', this.#t("'model' is missing. Test cases need the name of an agent, or a 'chat'."));
			return;
		}
		const mocks = findProperty(node, 'mocks');
		this.#reading.checkMocks(mocks, this.#text, this.#nodes);
		const conversation = readConversation(node, defaults, this.#target, this.#nodes, this.#text, this.#reading);
		this.#checkQuery(node, findProperty(conversation.request, 'query') ?? findProperty(node, 'simulate'));
		this.#checkInputs(conversation.request);
		const each = {
			name: name.value as string,
			place: this.#text.getNodePosition(node),
			target: this.#target,
			user: undefined,
			...conversation,
			mocks: { ...readMockNodes(findProperty(defaults, 'mocks')), ...readMockNodes(mocks) },
			checks: [...this.#readChecks(node), ...checks],
		};
		for (const one of [each, ...expandAttacks(node, each, this.#attacked, this.#reading, this.#text)]) {
			this.#addCase(name, one);
		}
	}

	async #readRunFiles(pattern: Node, node: Node, checks: readonly SuiteCheck[]): Promise<void> {
		for (const file of await findSuiteRunFiles(pattern, this.#text, this.#reading)) {
			if (this.#reading.isOver) {
				break;
			}
			const read = await readRunFileCase(file, pattern, this.#text, this.#reading, parts);
			if (read) {
				this.#hash.update(read.text);
				const { target } = read.case;
				const nodes = target.kind === 'agent' ? await this.#reading.readNodeIds(target.model) : undefined;
				const mocks = findProperty(node, 'mocks');
				this.#reading.checkMocks(mocks, this.#text, nodes);
				const own = readChecks(findProperty(node, 'expect'), this.#text, nodes, this.#reading.judges, this.#t);
				this.#reading.reportFaultList(this.#text, own.faults);
				this.#addCase(pattern, {
					...read.case,
					// use the path if the name is taken: run files with the same name are in different folders
					name: this.#names.has(read.case.name) ? path.relative(path.dirname(this.#text.file), file) : read.case.name,
					mocks: { ...read.case.mocks, ...readMockNodes(mocks) },
					checks: [...read.case.checks, ...own.checks, ...checks],
				});
			}
		}
	}

	async #readDatasetHead(defaults: Node | undefined, checks: readonly SuiteCheck[]): Promise<Suite['dataset']> {
		const node = findProperty(this.#root, 'dataset');
		if (!node) {
			return undefined;
		}
		if (!this.#target) {
			this.#reportFault(
				node,
				'missing-field',
				this.#t("'model' is missing. The rows of the dataset need the name of an agent, or a 'chat'."),
			);
		}
		this.#checkQuery(node, findProperty(node, 'query') ?? findProperty(defaults, 'query'));
		const head = await readDataset(node, defaults, this.#text, this.#nodes, this.#reading);
		this.#hash.update(head?.state ?? '');
		const under = readMockNodes(findProperty(defaults, 'mocks'));
		return head && { ...head.dataset, mocks: { ...under, ...head.dataset.mocks }, checks: [...head.dataset.checks, ...checks] };
	}

	/** Checks that a chat agent gets a message. */
	#checkQuery(at: Node, query: Node | undefined): void {
		const agent = this.#target?.kind === 'agent' ? this.#reading.findAgent(this.#target.model) : undefined;
		if (agent && /chat/.test(agent.mode) && !query) {
			this.#reportFault(at, 'missing-field', this.#t("'query' is missing. The chat agent '{0}' needs a message.", agent.name));
		}
	}

	#checkInputs(request: Node): void {
		const { t } = this.#reading.context;
		const agent = this.#target?.kind === 'agent' ? this.#reading.findAgent(this.#target.model) : undefined;
		// the variables of agents that run elsewhere or exist only in the settings aren't known
		if (agent && !agent.error && (agent.file !== null || agent.variables.length > 0)) {
			const trigger = findProperty(request, 'trigger')?.value as string | undefined;
			this.#reading.reportFaultList(
				this.#text,
				checkInputs(findProperty(request, 'inputs')!, selectTrigger(agent, trigger), t, this.#reading.suggest),
			);
		}
	}

	#addCase(at: Node, each: UnnumberedCase): void {
		const first = this.#names.get(each.name);
		if (first) {
			const message = this.#t("Two test cases are named '{0}'. The first one is on line {1}.", each.name, first.place.line);
			this.#reportFault(at, 'double-name', message);
		}
		this.#names.set(each.name, first ?? each);
		this.#cases.push(each);
	}

	#readChecks(node: Node | undefined): readonly SuiteCheck[] {
		const { checks, faults } = readChecks(findProperty(node, 'expect'), this.#text, this.#nodes, this.#reading.judges, this.#t);
		this.#reading.reportFaultList(this.#text, faults);
		return checks;
	}

	#readNumber(name: string, absent: number, fits: (value: number) => boolean, message: string): number {
		const node = findProperty(this.#root, name);
		if (node && !fits(node.value)) {
			this.#reportFault(node, 'wrong-value', message);
		}
		return node?.value ?? absent;
	}

	#reportFault(at: Node, code: Parameters<SuiteReading['reportFaults']>[1]['code'], message: string): void {
		this.#reading.reportFaults(this.#text, { code, severity: 'error', path: [], ...getValueRange(at), message });
	}

	get #t() {
		return this.#reading.context.t;
	}
}
