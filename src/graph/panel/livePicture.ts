import * as vscode from 'vscode';
import { isEmptyFile } from '../../agentFile/edits/beginning.ts';
import { DisposableBase } from '../../common/disposables.ts';
import { emptyPicture, pictureOf } from '../agentPicture.ts';
import type { AgentPicture } from '../graphTypes.ts';
import { type NodeBlock, type ReadGraph, readGraph, rereadNode } from '../reading/graphReader.ts';

/** Keys that follow each other this quickly are read together, in milliseconds: two frames. */
const gatherMs = 30;
/** A text that takes longer to be read as a whole, in milliseconds, waits until nobody types any more. */
const slowMs = 60;
const quietMs = 300;

/** The graph of a document, and what is told of it. */
export interface ToldPicture {
	/** Of the document. */
	readonly version: number;
	/** The last that could be read. */
	readonly picture: AgentPicture | undefined;
	/** Why it is not what the text has now, or why there is none. */
	readonly stale: string | undefined;
	/** The file holds nothing yet. */
	readonly empty: boolean;
}

/** Follows the text of a document, and reads its graph as it changes. While the text is wrong the last good graph stays. */
export class LivePicture extends DisposableBase {
	#document: vscode.TextDocument;
	readonly #changed = this.own(new vscode.EventEmitter<ToldPicture>());
	/** The text was read. */
	readonly onDidChange = this.#changed.event;
	#read: ReadGraph | undefined;
	#told: ToldPicture | undefined;
	#timer: NodeJS.Timeout | undefined;
	/** How long the whole took last. */
	#wholeMs = 0;
	/** It waits for quiet. */
	#waited = false;
	/** How many edits go on, of which nothing is told before they are done. */
	#held = 0;
	#isUntold = false;

	constructor(document: vscode.TextDocument) {
		super();
		this.#document = document;
		this.own(
			vscode.workspace.onDidChangeTextDocument(event => {
				if (event.document === this.#document && event.contentChanges.length > 0) {
					// at once where that is cheap: completion and checks, which read the whole of it, come next
					if (!this.#reread()) {
						this.#soon(gatherMs);
					}
				}
			}),
		);
		this.own(
			vscode.workspace.onDidOpenTextDocument(opened => opened.uri.toString() === this.#document.uri.toString() && this.follow(opened)),
		);
		this.own(vscode.workspace.onDidCloseTextDocument(closed => closed === this.#document && closed.isClosed && void this.#reopen()));
		this.own({ dispose: () => clearTimeout(this.#timer) });
	}

	/** The document as the editor has it; a closed one where its file is gone. */
	get document(): vscode.TextDocument {
		return this.#document;
	}

	/** Goes on with another document: of the same file, opened anew, or of the name that it has now. */
	follow(document: vscode.TextDocument): void {
		if (document !== this.#document) {
			this.#document = document;
			this.#take(true);
		}
	}

	/**
	 * The document, to be edited: opened anew where the editor has let go of it, which it does with texts that no tab shows.
	 * @throws where its file is gone
	 */
	async opened(): Promise<vscode.TextDocument> {
		if (this.#document.isClosed) {
			const { uri, isUntitled } = this.#document;
			if (isUntitled) {
				throw new Error(vscode.l10n.t('The text of this graph was closed without being saved.'));
			}
			this.follow(await vscode.workspace.openTextDocument(uri));
		}
		return this.#document;
	}

	/** The graph as the text has it now. */
	now(): ToldPicture {
		if (this.#told?.version !== this.document.version) {
			this.#take(true);
		}
		return this.#told as ToldPicture;
	}

	/** Does an edit, and tells the graph only when it is done: what is told between would not say whether the edit is in it. */
	async holding<Result>(edit: () => Promise<Result>): Promise<Result> {
		this.#held++;
		try {
			return await edit();
		} finally {
			this.#held--;
			this.now();
			if (this.#isUntold && this.#told && this.#held === 0 && !this.disposed) {
				this.#isUntold = false;
				this.#changed.fire(this.#told);
			}
		}
	}

	/** Where the nodes stand, in the text that was read last. */
	get blocks(): readonly NodeBlock[] {
		return this.#read?.blocks ?? [];
	}

	/** What the text that was read last holds, as plain values. */
	get content(): unknown {
		return this.#read?.content;
	}

	/** ID of the node around a place of the text. */
	nodeAt(position: vscode.Position): string | undefined {
		// what is known of a text that was longer may lie behind its end
		const at = this.document.validatePosition(position);
		const offset = this.document.offsetAt(at);
		// a node begins with its line, and its block goes on to where the next begins
		const lineEnd = this.document.offsetAt(this.document.lineAt(at.line).range.end);
		const block = this.blocks.findLast(({ start, id }) => id !== '' && start <= lineEnd);
		return block && offset <= block.end ? block.id : undefined;
	}

	/** Where a node begins, and ends. */
	rangeOf(id: string): vscode.Range | undefined {
		this.now();
		const block = this.blocks.find(each => each.id === id);
		return block && new vscode.Range(this.document.positionAt(block.start), this.document.positionAt(block.end));
	}

	async #reopen(): Promise<void> {
		try {
			await this.opened();
		} catch {
			if (!this.disposed) {
				this.#told = {
					version: this.#document.version,
					picture: this.#told?.picture,
					stale: vscode.l10n.t('The file is gone: the graph is what it had last.'),
					empty: false,
				};
				this.#changed.fire(this.#told);
			}
		}
	}

	#soon(ms: number): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#take(false), ms);
	}

	/** Reads the one node that changed; false where that cannot be done. */
	#reread(): boolean {
		const read = this.#read && rereadNode(this.#read, this.document.getText());
		if (!read) {
			return false;
		}
		clearTimeout(this.#timer);
		this.#waited = false;
		this.#read = read;
		this.#tell(this.document.version, undefined);
		return true;
	}

	/** Reads what changed, else all; a whole that takes long waits, unless it is `wanted` now. */
	#take(wanted: boolean): void {
		clearTimeout(this.#timer);
		if (this.#reread()) {
			return;
		}
		const { version } = this.document;
		const text = this.document.getText();
		if (!wanted && this.#wholeMs > slowMs && this.#told?.version !== version && !this.#waited) {
			this.#waited = true;
			this.#soon(quietMs);
			return;
		}
		this.#waited = false;
		const from = performance.now();
		const read = readGraph(text);
		this.#wholeMs = performance.now() - from;
		if ('message' in read) {
			this.#tell(version, vscode.l10n.t('Line {0}: {1}', read.line, read.message));
		} else {
			this.#read = read;
			this.#tell(version, undefined);
		}
	}

	#tell(version: number, wrong: string | undefined): void {
		const before = this.#told?.picture;
		if (wrong !== undefined) {
			const stale = before
				? vscode.l10n.t('The text cannot be read, so the graph is the one before. {0}', wrong)
				: vscode.l10n.t('No graph: the text cannot be read. {0}', wrong);
			this.#told = { version, picture: before, stale, empty: false };
		} else {
			const content = this.#read?.content;
			const picture = pictureOf(content) ?? emptyPicture(content);
			const empty = isEmptyFile(content);
			const stale = picture || empty ? undefined : vscode.l10n.t('No graph: the file has no workflow.');
			this.#told = { version, picture, stale, empty };
		}
		this.#isUntold = this.#held > 0;
		if (!this.#isUntold) {
			this.#changed.fire(this.#told);
		}
	}
}
