import { readFile } from 'node:fs/promises';
import type { Node } from 'jsonc-parser';
import { agentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { limitedClosest } from '#base/text/closestNames.ts';
import type { Translate } from '#base/text/localization.ts';
import { placeOf, propertiesOf, type TextFault } from '#base/text/textFaults.ts';
import type { AgentSummary } from '#contract/agents.ts';
import { findAgent } from '#runs/request/agentCheck.ts';
import type { SuiteFault } from '../suite.ts';
import { listed } from './readChecks.ts';
import type { SuiteText } from './suiteText.ts';

/** What a suite is checked against. */
export interface SuiteContext {
	/** Name of the connection, for messages. */
	readonly connection: string;
	/** Its agents; `undefined` where they are not known: then nothing is checked against them. */
	readonly agents: readonly AgentSummary[] | undefined;
	/** Whether it runs agents itself and takes `mocks`; `undefined`: not known yet. */
	readonly takesMocks?: boolean;
	/** Folder that no path of a suite leads out of: the workspace folder, or that of the command line. */
	readonly root: string;
	readonly t: Translate;
}

/** Faults after which a suite that can't run anyway isn't read any further: nobody reads more, and a suite can be made to have millions. */
const mostFaults = 1000;

/** What the parts of one reading share: faults so far, and the nodes of agents that were asked for. */
export class SuiteReading {
	readonly context: SuiteContext;
	readonly faults: SuiteFault[] = [];
	#hasErrors = false;
	/** Similar names: comparing them is limited for the suite as a whole. */
	readonly suggest = limitedClosest();
	readonly #nodes = new Map<string, Promise<ReadonlySet<string> | undefined>>();

	constructor(context: SuiteContext) {
		this.context = context;
	}

	/** Notes faults at their places. */
	add(text: SuiteText, ...faults: readonly TextFault[]): void {
		this.addAll(text, faults);
	}

	/** {@link add} for a list of any length: as arguments, 100,000 of them are too many for the stack. */
	addAll(text: SuiteText, faults: readonly TextFault[]): void {
		for (const fault of faults) {
			this.faults.push(text.fault(fault));
			this.#hasErrors ||= fault.severity === 'error';
		}
	}

	/** Whether there is nothing to gain from reading on. */
	get isOver(): boolean {
		return this.#hasErrors && this.faults.length >= mostFaults;
	}

	/** The agent of this name; `undefined` where it is not known. */
	agent(name: string): AgentSummary | undefined {
		return this.context.agents && findAgent(this.context.agents, name);
	}

	/** IDs of the nodes of an agent; `undefined` where its file cannot be read from here. */
	nodes(name: string): Promise<ReadonlySet<string> | undefined> {
		const known = this.#nodes.get(name) ?? nodesOf(this.agent(name)?.file);
		this.#nodes.set(name, known);
		return known;
	}

	/** Checks the nodes that mocks name, and that the connection takes mocks. */
	checkMocks(mocks: Node | undefined, text: SuiteText, nodes: ReadonlySet<string> | undefined): void {
		const { takesMocks, connection, t } = this.context;
		if (mocks && takesMocks === false && propertiesOf(mocks).length > 0) {
			const message = t("'{0}' doesn't support mocks. Only the built-in gateway does, for agents that it runs itself.", connection);
			this.add(text, { code: 'mocks-not-taken', severity: 'error', path: ['mocks'], ...placeOf(mocks), message });
		}
		for (const { name, nameNode } of propertiesOf(mocks)) {
			if (nodes && !nodes.has(name)) {
				const message = t("The agent has no node '{0}'. Expected one of {1}.", name, listed(nodes));
				this.add(text, { code: 'unknown-node', severity: 'error', path: ['mocks', name], ...placeOf(nameNode), message });
			}
		}
	}
}

async function nodesOf(file: string | null | undefined): Promise<ReadonlySet<string> | undefined> {
	if (!file) {
		return undefined;
	}
	try {
		const { nodes } = agentGraph(new AgentText(await readFile(file, 'utf8')).content);
		return nodes.length > 0 ? new Set(nodes.map(({ id }) => id)) : undefined;
	} catch {
		// what is wrong with an agent file is told elsewhere
		return undefined;
	}
}
