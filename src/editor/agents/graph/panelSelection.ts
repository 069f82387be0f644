import type * as vscode from 'vscode';
import type { LivePicture } from './livePicture.ts';
import { showInText } from './textBeside.ts';

/** What a page is told of a selection; `by`: it comes of what the page asked for as this. */
type TellSelection = (nodes: readonly string[], by?: number) => void;

/** The nodes that are selected in a graph and at the cursors of its text, as far as the host knows. */
export class PanelSelection {
	readonly #live: LivePicture;
	readonly #remember: (nodes: readonly string[]) => void;
	readonly #tell: TellSelection;
	#nodes: readonly string[] = [];
	/** What the page had asked for when its user selected something last: what comes of that is not selected any more. */
	#chosenAfter = 0;

	/** @param remember takes the nodes that are selected from now on */
	constructor(live: LivePicture, remember: (nodes: readonly string[]) => void, tell: TellSelection) {
		this.#live = live;
		this.#remember = remember;
		this.#tell = tell;
	}

	/** The user selected nodes on the page, which had asked for all up to `seq` then. */
	chosen(nodes: readonly string[], seq: number): void {
		this.#chosenAfter = seq;
		this.#show(nodes);
	}

	/** A page came back with these: where none are known yet, they are selected. */
	restored(nodes: readonly string[]): void {
		if (this.#nodes.length === 0 && nodes.length > 0) {
			this.#take(nodes);
		}
	}

	/** The agent itself is shown. */
	clear(): void {
		this.#nodes = [];
	}

	/** The nodes at the cursors of the text are selected. */
	cursorMoved({ selections }: vscode.TextEditor): void {
		const nodes = [...new Set(selections.flatMap(({ active }) => this.#live.nodeAt(active) ?? []))];
		if (nodes.length > 0 && nodes.join('\n') !== this.#nodes.join('\n')) {
			this.#take(nodes);
			this.#tell(nodes);
		}
	}

	/** What came of what the page asked for is selected, unless its user has gone on since. */
	made(nodes: readonly string[], by: number): void {
		if (by > this.#chosenAfter) {
			this.#show(nodes);
			this.#tell(nodes, by);
		}
	}

	/** A node has another ID. */
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

	/** The block of the only one is shown in the text. */
	#show(nodes: readonly string[]): void {
		this.#take(nodes);
		const [only, ...others] = nodes;
		const range = only !== undefined && others.length === 0 ? this.#live.rangeOf(only) : undefined;
		if (range) {
			showInText(this.#live.document, range);
		}
	}
}
