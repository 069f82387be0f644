import * as vscode from 'vscode';
import { isEmptyFile } from '#agentFile/edits/beginning.ts';
import type { AgentReading, NodeBlock } from '#agentFile/reading/agentReading.ts';
import { DisposableBase } from '#base/disposables.ts';
import { createEmptyPicture, createPicture } from '#pages/graph/picture/agentPicture.ts';
import type { AgentPicture } from '#pages/graph/picture/graphTypes.ts';
import { KnownPicture } from '#pages/graph/picture/knownPicture.ts';
import type { AgentReadings } from '../files/agentReadings.ts';

/** A text that is read as one piece at each key and takes longer than this, in milliseconds, is read when nobody types any more. */
const slowMs = 60;
/** The longest that is waited for the next key, in milliseconds. */
const quietMs = 300;

/** The graph of a document, and what is told of it. */
export interface CurrentPicture {
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
	readonly #changed = this.own(new vscode.EventEmitter<CurrentPicture>());
	/** The text was read. */
	readonly onDidChange = this.#changed.event;
	/** The last that had no error. */
	#read: AgentReading | undefined;
	/** What stands in the documents. */
	readonly readings: AgentReadings;
	readonly #known = new KnownPicture();
	#current: CurrentPicture | undefined;
	#timer: NodeJS.Timeout | undefined;
	/** How long the text took last where it is read as one piece: what else the machine does makes none wait that is read in parts. */
	#tookMs = 0;
	/** How many edits go on, of which nothing is told before they are done. */
	#runningEdits = 0;
	#isEmitPending = false;

	constructor(document: vscode.TextDocument, readings: AgentReadings) {
		super();
		this.#document = document;
		this.readings = readings;
		// while the page is on its way
		void readings.read(document);
		this.own(
			vscode.workspace.onDidChangeTextDocument(event => {
				if (event.document === this.#document && event.contentChanges.length > 0) {
					clearTimeout(this.#timer);
					if (this.#tookMs > slowMs) {
						this.#timer = setTimeout(() => this.#update(), Math.min(quietMs, 2 * this.#tookMs));
					} else {
						this.#update();
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
			this.#update();
		}
	}

	/**
	 * The document, to be edited: opened anew where the editor has let go of it, which it does with texts that no tab shows.
	 * @throws where its file is gone
	 */
	async openDocument(): Promise<vscode.TextDocument> {
		if (this.#document.isClosed) {
			const { uri, isUntitled } = this.#document;
			if (isUntitled) {
				throw new Error(vscode.l10n.t('The text of this graph was closed without being saved.'));
			}
			this.follow(await vscode.workspace.openTextDocument(uri));
		}
		return this.#document;
	}

	/** Resolves when the text is read: a large one in slices, between which the editor goes on. `undefined` where it is read already. */
	parse(): Promise<unknown> | undefined {
		return this.readings.isParsed(this.#document) ? undefined : this.readings.read(this.#document);
	}

	/** What the text has now, to be edited. */
	get reading(): AgentReading {
		return this.readings.get(this.#document);
	}

	/** The graph as the text has it now. */
	getCurrent(): CurrentPicture {
		if (this.#current?.version !== this.document.version) {
			this.#update();
		}
		return this.#current as CurrentPicture;
	}

	/** Does an edit, and tells the graph only when it is done: what is told between would not say whether the edit is in it. */
	async runEdit<Result>(edit: () => Promise<Result>): Promise<Result> {
		this.#runningEdits++;
		try {
			return await edit();
		} finally {
			this.#runningEdits--;
			this.getCurrent();
			if (this.#isEmitPending && this.#current && this.#runningEdits === 0 && !this.disposed) {
				this.#isEmitPending = false;
				this.#changed.fire(this.#current);
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
	findNodeAt(position: vscode.Position): string | undefined {
		// what is known of a text that was longer may lie behind its end
		const at = this.document.validatePosition(position);
		const offset = this.document.offsetAt(at);
		// a node begins with its line, and its block goes on to where the next begins
		const lineEnd = this.document.offsetAt(this.document.lineAt(at.line).range.end);
		const block = this.blocks.findLast(({ start, id }) => id !== '' && start <= lineEnd);
		return block && offset <= block.end ? block.id : undefined;
	}

	/** Where a node begins, and ends. */
	findRange(id: string): vscode.Range | undefined {
		this.getCurrent();
		const block = this.blocks.find(each => each.id === id);
		return block && new vscode.Range(this.document.positionAt(block.start), this.document.positionAt(block.end));
	}

	async #reopen(): Promise<void> {
		try {
			await this.openDocument();
		} catch {
			if (!this.disposed) {
				this.#current = {
					version: this.#document.version,
					picture: this.#current?.picture,
					stale: vscode.l10n.t('The file is gone: the graph is what it had last.'),
					empty: false,
				};
				this.#changed.fire(this.#current);
			}
		}
	}

	#update(): void {
		clearTimeout(this.#timer);
		const { version } = this.document;
		const from = performance.now();
		const { reading } = this;
		this.#tookMs = reading.parts.whole ? 0 : performance.now() - from;
		const { error } = reading;
		if (error) {
			this.#setPicture(version, vscode.l10n.t('Line {0}: {1}', reading.lineAt(error.offset), error.message));
		} else {
			this.#read = reading;
			this.#setPicture(version, undefined);
		}
	}

	#setPicture(version: number, wrong: string | undefined): void {
		const before = this.#current?.picture;
		if (wrong !== undefined) {
			const stale = before
				? vscode.l10n.t('The text cannot be read, so the graph is the one before. {0}', wrong)
				: vscode.l10n.t('No graph: the text cannot be read. {0}', wrong);
			this.#current = { version, picture: before, stale, empty: false };
		} else {
			const content = this.#read?.content;
			const picture = createPicture(content, this.#known) ?? createEmptyPicture(content);
			const empty = isEmptyFile(content);
			const stale = picture || empty ? undefined : vscode.l10n.t('No graph: the file has no workflow.');
			this.#current = { version, picture, stale, empty };
		}
		this.#isEmitPending = this.#runningEdits > 0;
		if (!this.#isEmitPending) {
			this.#changed.fire(this.#current);
		}
	}
}
