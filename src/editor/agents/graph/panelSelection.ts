import type * as vscode from 'vscode';
import type { LivePicture } from './livePicture.ts';
import { showInText } from './textBeside.ts';

/** Sends a selection to the page; `by`: number of the page's request that caused it. */
type TellSelection = (nodes: readonly string[], by?: number) => void;

/** Synchronizes the selected nodes of a graph with the cursors in its text. */
export class PanelSelection {
	readonly #live: LivePicture;
	readonly #remember: (nodes: readonly string[]) => void;
	readonly #tell: TellSelection;
	#nodes: readonly string[] = [];
	/** Number of the page's last request when the user last selected something; results of requests up to it aren't selected. */
	#chosenAfter = 0;

	/** @param remember is called with each new selection */
	constructor(live: LivePicture, remember: (nodes: readonly string[]) => void, tell: TellSelection) {
		this.#live = live;
		this.#remember = remember;
		this.#tell = tell;
	}

	/** Handles a selection by the user; `seq`: the page's last request at that time. */
	chosen(nodes: readonly string[], seq: number): void {
		this.#chosenAfter = seq;
		this.#show(nodes);
	}

	/** Restores the selection of a reloaded page, unless there is a newer one. */
	restored(nodes: readonly string[]): void {
		if (this.#nodes.length === 0 && nodes.length > 0) {
			this.#take(nodes);
		}
	}

	/** Clears the selection because the agent itself is shown. */
	clear(): void {
		this.#nodes = [];
	}

	/** Selects the nodes at the text cursors. */
	cursorMoved({ selections }: vscode.TextEditor): void {
		const nodes = [...new Set(selections.flatMap(({ active }) => this.#live.nodeAt(active) ?? []))];
		if (nodes.length > 0 && nodes.join('\n') !== this.#nodes.join('\n')) {
			this.#take(nodes);
			this.#tell(nodes);
		}
	}

	/** Selects new nodes, unless the user has selected something else since. */
	made(nodes: readonly string[], by: number): void {
		if (by > this.#chosenAfter) {
			this.#show(nodes);
			this.#tell(nodes, by);
		}
	}

	/** Updates the selection after a node's ID has changed. */
	renamed(from: string, to: string, by: number): void {
		if (this.#nodes.includes(from)) {
			const nodes = this.#nodes.map(id => (id === from ? to : id));
			this.#take(nodes);
			this.#tell(nodes, by);
		}
	}

	#take(nodes: readonly string[]): void {
		this.#nodes = nodes;
		this.#remember(nodes);
	}

	/** Reveals a single selected node in the text. */
	#show(nodes: readonly string[]): void {
		this.#take(nodes);
		const [only, ...others] = nodes;
		const range = only !== undefined && others.length === 0 ? this.#live.rangeOf(only) : undefined;
		if (range) {
			showInText(this.#live.document, range);
		}
	}
}
