import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import type { FromGraph } from '#pages/graph/picture/graphMessages.ts';
import type { ShownGraphRun } from './graphRun.ts';
import type { PanelEdits } from './panelEdits.ts';
import type { PanelSelection } from './panelSelection.ts';

/** The argument of a command that runs while a graph has the focus. `key` is the run that the graph shows. */
export interface GraphCommandTarget {
	readonly uri: vscode.Uri;
	readonly node?: string;
	readonly key?: string;
}

const agentCommands = {
	run: 'agentWorkbench.agentFile.runDraft',
	debug: 'agentWorkbench.debug.start',
	stop: 'agentWorkbench.run.stop',
} satisfies Record<Extract<FromGraph, { type: 'onAgent' }>['action'], CommandId>;

interface PanelCommandParts {
	readonly getUri: () => vscode.Uri;
	readonly edits: PanelEdits;
	readonly selection: PanelSelection;
	readonly run: ShownGraphRun;
}

/** Runs commands on the file of a graph and its nodes. */
export class PanelCommands {
	readonly #parts: PanelCommandParts;

	constructor(parts: PanelCommandParts) {
		this.#parts = parts;
	}

	/** Returns the argument of commands. Applies typed text first, so that they use the complete text. */
	async createTarget(): Promise<GraphCommandTarget> {
		const { getUri, edits, selection, run } = this.#parts;
		await edits.flushEdits();
		const [[node, other], { key }] = [selection.nodes, run];
		return { uri: getUri(), ...(node !== undefined && other === undefined && { node }), ...(key !== undefined && { key }) };
	}

	async runOnNode({ action, node }: Extract<FromGraph, { type: 'onNode' }>): Promise<void> {
		const target = { ...(await this.createTarget()), node: this.#parts.edits.getCurrentId(node) };
		const command: CommandId = action === 'prompt' ? 'agentWorkbench.prompt.open' : `agentWorkbench.node.${action}`;
		await vscode.commands.executeCommand(command, target);
	}

	async runOnAgent({ action }: Extract<FromGraph, { type: 'onAgent' }>): Promise<void> {
		const { uri, key } = await this.createTarget();
		await vscode.commands.executeCommand(agentCommands[action], action === 'stop' ? key : uri);
	}
}
