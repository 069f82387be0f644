import { readFile } from 'node:fs/promises';
import type { Node } from 'jsonc-parser';
import { readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { createLimitedNameFinder } from '#base/text/closestNames.ts';
import type { Translate } from '#base/text/localization.ts';
import { getValueRange, listProperties, type TextFault } from '#base/text/textFaults.ts';
import type { AgentSummary } from '#contract/agents.ts';
import { findAgent } from '#runs/request/agentCheck.ts';
import type { SuiteFault, SuiteJudge } from '../suite.ts';
import { formatNames } from './readChecks.ts';
import type { SuiteText } from './suiteText.ts';

export interface SuiteContext {
	/** Name of the connection, for messages. */
	readonly connection: string;
	/** Agents of the connection; `undefined` if unknown, which disables checks against them. */
	readonly agents: readonly AgentSummary[] | undefined;
	/** True if the service runs agents itself and supports `mocks`; `undefined` if not known yet. */
	readonly takesMocks?: boolean;
	/** Folder that paths must stay in: the workspace folder, or the folder given to the command line. */
	readonly root: string;
	readonly t: Translate;
}

/** Nodes of an agent; `undefined` if its file can't be read, or it has no graph. */
export interface AttackedAgent {
	readonly nodes: readonly { readonly id: string; readonly type: string }[] | undefined;
}

/** Number of problems after which reading a suite with errors stops, because a malicious suite can have millions. */
const mostFaults = 1000;

/** State of reading one suite: problems so far, and the nodes of its agents. */
export class SuiteReading {
	readonly context: SuiteContext;
	readonly faults: SuiteFault[] = [];
	/** Judges of the suite, by name. */
	judges: Readonly<Record<string, SuiteJudge>> = {};
	#hasErrors = false;
	/** Finds similar names, with a limit for the whole suite. */
	readonly suggest = createLimitedNameFinder();
	readonly #nodes = new Map<string, Promise<FileNodes | undefined>>();

	constructor(context: SuiteContext) {
		this.context = context;
	}

	/** Adds problems of a text. */
	reportFaults(text: SuiteText, ...faults: readonly TextFault[]): void {
		this.reportFaultList(text, faults);
	}

	/** Like {@link reportFaults}, for a list of any length: 100,000 arguments would overflow the stack. */
	reportFaultList(text: SuiteText, faults: readonly TextFault[]): void {
		for (const fault of faults) {
			if (this.isOver) {
				return;
			}
			this.faults.push(text.locateFault(fault));
			this.#hasErrors ||= fault.severity === 'error';
		}
	}

	/** True if reading should stop. */
	get isOver(): boolean {
		return this.#hasErrors && this.faults.length >= mostFaults;
	}

	/** Finds an agent by name. */
	findAgent(name: string): AgentSummary | undefined {
		return this.context.agents && findAgent(this.context.agents, name);
	}

	/** Reads the IDs of an agent's nodes; `undefined` if its file can't be read. */
	async readNodeIds(name: string): Promise<ReadonlySet<string> | undefined> {
		return (await this.#readNodes(name))?.ids;
	}

	/** Reads the nodes of an agent with their types. */
	async readAttackedAgent(name: string): Promise<AttackedAgent> {
		return { nodes: (await this.#readNodes(name))?.nodes };
	}

	#readNodes(name: string): Promise<FileNodes | undefined> {
		const known = this.#nodes.get(name) ?? readFileNodes(this.findAgent(name)?.file);
		this.#nodes.set(name, known);
		return known;
	}

	/** Checks that the mocked nodes exist, and that the connection supports mocks. */
	checkMocks(mocks: Node | undefined, text: SuiteText, nodes: ReadonlySet<string> | undefined): void {
		const { takesMocks, connection, t } = this.context;
		if (mocks && takesMocks === false && listProperties(mocks).length > 0) {
			const message = t("'{0}' doesn't support mocks. Only the built-in gateway does, for agents that it runs itself.", connection);
			this.reportFaults(text, { code: 'mocks-not-taken', severity: 'error', path: ['mocks'], ...getValueRange(mocks), message });
		}
		for (const { name, nameNode } of listProperties(mocks)) {
			if (nodes && !nodes.has(name)) {
				const message = t("The agent has no node '{0}'. Expected one of {1}.", name, formatNames(nodes));
				this.reportFaults(text, { code: 'unknown-node', severity: 'error', path: ['mocks', name], ...getValueRange(nameNode), message });
			}
		}
	}
}

interface FileNodes {
	readonly ids: ReadonlySet<string>;
	readonly nodes: AttackedAgent['nodes'];
}

async function readFileNodes(file: string | null | undefined): Promise<FileNodes | undefined> {
	if (!file) {
		return undefined;
	}
	try {
		const { nodes } = readAgentGraph(new AgentText(await readFile(file, 'utf8')).content);
		return nodes.length > 0 ? { ids: new Set(nodes.map(({ id }) => id)), nodes } : undefined;
	} catch {
		// problems of agent files are reported elsewhere
		return undefined;
	}
}
