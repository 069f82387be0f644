import type * as vscode from 'vscode';
import type { LivePicture } from './livePicture.ts';
import { revealRangeInText } from './showInText.ts';

/** Sends a selection to the page. `by` is the number of the page's request that caused it. */
type SendSelection = (nodes: readonly string[], by?: number) => void;

/** Synchronizes the selected nodes of a graph with the cursors in its text. */
export class PanelSelection {
	readonly #live: LivePicture;
	readonly #remember: (nodes: readonly string[]) => void;
	readonly #send: SendSelection;
	#nodes: readonly string[] = [];
	/** Number of the page's last request when the user last selected something. Nodes created by requests up to that one aren't selected. */
	#chosenAfter = 0;

	/** @param remember called with each new selection */
	constructor(live: LivePicture, remember: (nodes: readonly string[]) => void, tell: SendSelection) {
		this.#live = live;
		this.#remember = remember;
		this.#send = tell;
	}

	get nodes(): readonly string[] {
		return this.#nodes;
	}

	/** Handles a selection made by the user. `seq` is the number of the page's last request at that time. */
	onUserSelection(nodes: readonly string[], seq: number): void {
		this.#chosenAfter = seq;
		this.#selectAndRevealNodes(nodes);
	}

	/** Restores the selection of a reloaded page, unless there is a newer one. */
	restoreSelection(nodes: readonly string[]): void {
		if (this.#nodes.length === 0 && nodes.length > 0) {
			this.#setNodes(nodes);
		}
	}

	/** Clears the selection because the agent itself is shown. */
	clear(): void {
		this.#nodes = [];
	}

	/** Selects the nodes at the text cursors. */
	selectNodesAtCursors({ selections }: vscode.TextEditor): void {
		const nodes = [...new Set(selections.flatMap(({ active }) => this.#live.findNodeAt(active) ?? []))];
		if (nodes.length > 0 && nodes.join('\n') !== this.#nodes.join('\n')) {
			this.#setNodes(nodes);
			this.#send(nodes);
		}
	}

	/** Selects new nodes, unless the user has selected something else since. */
	selectNewNodes(nodes: readonly string[], by: number): void {
		if (by > this.#chosenAfter) {
			this.#selectAndRevealNodes(nodes);
			this.#send(nodes, by);
		}
	}

	/** Updates the selection after a node's ID has changed. */
	replaceNodeId(from: string, to: string, by: number): void {
		if (this.#nodes.includes(from)) {
			const nodes = this.#nodes.map(id => (id === from ? to : id));
			this.#setNodes(nodes);
			this.#send(nodes, by);
		}
	}

	#setNodes(nodes: readonly string[]): void {
		this.#nodes = nodes;
		this.#remember(nodes);
	}

	/** Reveals a single selected node in the text. */
	#selectAndRevealNodes(nodes: readonly string[]): void {
		this.#setNodes(nodes);
		const [only, ...others] = nodes;
		const range = only !== undefined && others.length === 0 ? this.#live.findNodeRange(only) : undefined;
		if (range) {
			revealRangeInText(this.#live.document, range);
		}
	}
}
