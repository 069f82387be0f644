import * as vscode from 'vscode';
import { isEmptyFile } from '#agentFile/edits/beginning.ts';
import { findFailureLine } from '#agentFile/failureLine.ts';
import type { AgentReading, NodeBlock } from '#agentFile/reading/agentReading.ts';
import { readStartPart } from '#agentFile/reading/startPart.ts';
import { DisposableBase } from '#base/disposables.ts';
import { createEmptyPicture, createPicture, createStartPicture } from '#pages/graph/picture/agentPicture.ts';
import type { AgentPicture } from '#pages/graph/picture/graphTypes.ts';
import { KnownPicture } from '#pages/graph/picture/knownPicture.ts';
import type { AgentReadings } from '../files/agentReadings.ts';

/** If parsing takes longer than this many milliseconds, it's delayed until the user pauses typing. */
const slowMs = 60;
/** Maximum delay of parsing, in milliseconds. */
const quietMs = 300;

/** The last computed graph of a document. */
export interface CurrentPicture {
	/** Version of the document. */
	readonly version: number;
	/** The last valid graph. */
	readonly picture: AgentPicture | undefined;
	/** Message that says why the picture is missing or older than the text. */
	readonly stale: string | undefined;
	/** True if the file is still empty. */
	readonly empty: boolean;
}

/** Keeps the graph of a document up to date. While the text is invalid, it keeps the last valid graph. */
export class LivePicture extends DisposableBase {
	#document: vscode.TextDocument;
	readonly #changed = this.register(new vscode.EventEmitter<CurrentPicture>());
	/** Fires when the graph has changed. */
	readonly onDidChange = this.#changed.event;
	readonly #edited = this.register(new vscode.EventEmitter<void>());
	/** Fires when the last running edit has ended, after {@link onDidChange}. */
	readonly onDidEdit = this.#edited.event;
	/** The last version of the text that could be parsed without errors. */
	#read: AgentReading | undefined;
	/** Parsed agent files. */
	readonly readings: AgentReadings;
	readonly #known = new KnownPicture();
	#current: CurrentPicture | undefined;
	#timer: NodeJS.Timeout | undefined;
	/** Duration of the last synchronous parse in milliseconds. It's 0 for incremental parses, which never need a delay. */
	#tookMs = 0;
	/** Number of edits in progress. Changes are reported when all of them are done. */
	#runningEdits = 0;
	#isEmitPending = false;

	constructor(document: vscode.TextDocument, readings: AgentReadings) {
		super();
		this.#document = document;
		this.readings = readings;
		// start parsing while the page loads
		void readings.readDocument(document);
		this.register(
			vscode.workspace.onDidChangeTextDocument(event => {
				if (event.document === this.#document && event.contentChanges.length > 0) {
					clearTimeout(this.#timer);
					if (this.#tookMs > slowMs) {
						this.#timer = setTimeout(() => this.#updatePicture(), Math.min(quietMs, 2 * this.#tookMs));
					} else {
						this.#updatePicture();
					}
				}
			}),
		);
		this.register(
			vscode.workspace.onDidOpenTextDocument(
				opened => opened.uri.toString() === this.#document.uri.toString() && this.followDocument(opened),
			),
		);
		this.register(
			vscode.workspace.onDidCloseTextDocument(closed => closed === this.#document && closed.isClosed && void this.#reopenDocument()),
		);
		this.register({ dispose: () => clearTimeout(this.#timer) });
	}

	/** The current document. It's closed if its file was deleted. */
	get document(): vscode.TextDocument {
		return this.#document;
	}

	/** Switches to another document after the file was renamed or reopened. */
	followDocument(document: vscode.TextDocument): void {
		if (document !== this.#document) {
			this.#document = document;
			this.#updatePicture();
		}
	}

	/**
	 * Returns the document for editing. Reopens it if necessary, because VS Code closes documents that have no tab.
	 * @throws if its file was deleted
	 */
	async openDocument(): Promise<vscode.TextDocument> {
		if (this.#document.isClosed) {
			const { uri, isUntitled } = this.#document;
			if (isUntitled) {
				throw new Error(vscode.l10n.t('The file was closed without saving its changes.'));
			}
			this.followDocument(await vscode.workspace.openTextDocument(uri));
		}
		return this.#document;
	}

	/** Resolves when the text is parsed, in slices if it's large. Returns `undefined` if it's already parsed. */
	parseText(): Promise<unknown> | undefined {
		return this.readings.isParsed(this.#document) ? undefined : this.readings.readDocument(this.#document);
	}

	/** Returns the graph around the start node while the text isn't parsed yet; `undefined` if that isn't possible. */
	createStartPicture(): AgentPicture | undefined {
		const part = readStartPart(this.#document.getText());
		return part && createStartPicture(part, this.#known);
	}

	/** The parsed current text. */
	get reading(): AgentReading {
		return this.readings.get(this.#document);
	}

	/** Returns the graph of the current text. */
	getCurrentPicture(): CurrentPicture {
		if (this.#current?.version !== this.document.version) {
			this.#updatePicture();
		}
		return this.#current as CurrentPicture;
	}

	/** True while an edit is running: the text may include it although it isn't reported yet. */
	get isEditing(): boolean {
		return this.#runningEdits > 0;
	}

	/** Runs an edit and reports the new graph only afterwards, so that the page knows whether a graph includes the edit. */
	async runEdit<Result>(edit: () => Promise<Result>): Promise<Result> {
		this.#runningEdits++;
		try {
			return await edit();
		} finally {
			this.#runningEdits--;
			this.getCurrentPicture();
			if (this.#runningEdits === 0 && !this.disposed) {
				if (this.#isEmitPending && this.#current) {
					this.#isEmitPending = false;
					this.#changed.fire(this.#current);
				}
				this.#edited.fire();
			}
		}
	}

	/** Positions of the nodes in the last parsed text. */
	get blocks(): readonly NodeBlock[] {
		return this.#read?.blocks ?? [];
	}

	/** Content of the last parsed text as plain values. */
	get content(): unknown {
		return this.#read?.content;
	}

	/** Returns the ID of the node at a position. */
	findNodeAt(position: vscode.Position): string | undefined {
		// the last parsed text may have been longer, so some blocks may be beyond the end of the document
		const at = this.document.validatePosition(position);
		const offset = this.document.offsetAt(at);
		// count the whole first line of a node as part of it; its block extends to the next node
		const lineEnd = this.document.offsetAt(this.document.lineAt(at.line).range.end);
		const block = this.blocks.findLast(({ start, id }) => id !== '' && start <= lineEnd);
		return block && offset <= block.end ? block.id : undefined;
	}

	/** Returns the range of a node. */
	findNodeRange(id: string): vscode.Range | undefined {
		this.getCurrentPicture();
		const block = this.blocks.find(each => each.id === id);
		return block && new vscode.Range(this.document.positionAt(block.start), this.document.positionAt(block.end));
	}

	/** Returns the line at which the program or template of a node failed, if the error names a line. */
	findFailedRange(id: string, error: string): vscode.Range | undefined {
		const line = findFailureLine(this.reading, id, error);
		return line === undefined ? undefined : this.document.validateRange(new vscode.Range(line - 1, 0, line - 1, 0));
	}

	async #reopenDocument(): Promise<void> {
		try {
			await this.openDocument();
		} catch {
			if (!this.disposed) {
				this.#current = {
					version: this.#document.version,
					picture: this.#current?.picture,
					stale: vscode.l10n.t('The file was deleted. This is the last version of its graph.'),
					empty: false,
				};
				this.#changed.fire(this.#current);
			}
		}
	}

	#updatePicture(): void {
		clearTimeout(this.#timer);
		const { version } = this.document;
		const from = performance.now();
		const { reading } = this;
		this.#tookMs = reading.parts.whole ? 0 : performance.now() - from;
		const { error } = reading;
		if (error) {
			this.#setPicture(version, { line: reading.getLineAt(error.offset), message: error.message });
		} else {
			this.#read = reading;
			this.#setPicture(version, undefined);
		}
	}

	#setPicture(version: number, wrong: { readonly line: number; readonly message: string } | undefined): void {
		const before = this.#current?.picture;
		if (wrong !== undefined) {
			const stale = before
				? vscode.l10n.t('Showing the last valid graph. Error on line {0}: {1}', wrong.line, wrong.message)
				: vscode.l10n.t("Couldn't show the graph. Error on line {0}: {1}", wrong.line, wrong.message);
			this.#current = { version, picture: before, stale, empty: false };
		} else {
			const content = this.#read?.content;
			const picture = createPicture(content, this.#known) ?? createEmptyPicture(content);
			const empty = isEmptyFile(content);
			const stale = picture || empty ? undefined : vscode.l10n.t('This file has no workflow to show as a graph.');
			this.#current = { version, picture, stale, empty };
		}
		this.#isEmitPending = this.#runningEdits > 0;
		if (!this.#isEmitPending) {
			this.#changed.fire(this.#current);
		}
	}
}
