import * as vscode from 'vscode';

/** A fake text document that can be edited, closed and reopened. */
export interface PlayedText {
	readonly uri: vscode.Uri;
	/** The current document, or the last one after it was closed. */
	readonly document: vscode.TextDocument;
	text: string;
	/** Changes the text as another user does, or by undo or redo. */
	changeText(text: string, reason?: vscode.TextDocumentChangeReason): void;
	/** Closes the document; the file can change meanwhile. */
	closeDocument(onDisk?: string): void;
	/** Deletes its file. */
	deleteFile(): void;
	/** Called before the extension's next edit is applied. */
	meanwhile: (() => void) | undefined;
}

/** Fakes the editor's documents until `end` is called. Rejects edits of outdated documents, as the editor does. */
export function fakeTextDocuments(): {
	open(uri: vscode.Uri, text: string): PlayedText;
	renamed: vscode.EventEmitter<vscode.FileRenameEvent>;
	end(): void;
} {
	const [changed, opened, closed] = [
		new vscode.EventEmitter<vscode.TextDocumentChangeEvent>(),
		new vscode.EventEmitter<vscode.TextDocument>(),
		new vscode.EventEmitter<vscode.TextDocument>(),
	];
	const renamed = new vscode.EventEmitter<vscode.FileRenameEvent>();
	const played = new Map<string, Played>();
	class Played implements PlayedText {
		readonly uri: vscode.Uri;
		document: vscode.TextDocument;
		text: string;
		isGone = false;
		meanwhile: (() => void) | undefined;
		version = 1;
		isClosed = false;

		constructor(uri: vscode.Uri, text: string) {
			this.uri = uri;
			this.text = text;
			this.document = this.#createDocument();
		}
		#createDocument(): vscode.TextDocument {
			const held = { isClosed: false, text: this.text, version: this.version };
			const refreshDocument = () => {
				if (!held.isClosed) {
					Object.assign(held, { text: this.text, version: this.version, isClosed: this.isClosed });
				}
				return held;
			};
			const getLines = () => refreshDocument().text.split('\n');
			const getOffsetAt = ({ line, character }: vscode.Position) =>
				getLines()
					.slice(0, line)
					.reduce((sum, each) => sum + each.length + 1, 0) + character;
			return {
				uri: this.uri,
				isUntitled: this.uri.scheme === 'untitled',
				isDirty: true,
				save: async () => true,
				getText: () => refreshDocument().text,
				offsetAt: getOffsetAt,
				positionAt: (offset: number) => {
					const before = refreshDocument().text.slice(0, offset).split('\n');
					return new vscode.Position(before.length - 1, before.at(-1)?.length ?? 0);
				},
				validatePosition: (at: vscode.Position) => {
					const last = getLines().length - 1;
					return at.line > last ? new vscode.Position(last, getLines()[last]?.length ?? 0) : at;
				},
				lineAt: (line: number) => {
					const text = getLines()[line];
					if (text === undefined) {
						throw new Error('Illegal value for `line`');
					}
					return { text, range: new vscode.Range(new vscode.Position(line, 0), new vscode.Position(line, text.length)) };
				},
				get version() {
					return refreshDocument().version;
				},
				get isClosed() {
					return refreshDocument().isClosed;
				},
			} as unknown as vscode.TextDocument;
		}
		changeText(text: string, reason?: vscode.TextDocumentChangeReason): void {
			this.text = text;
			this.version++;
			changed.fire({ document: this.document, contentChanges: [{}], reason } as unknown as vscode.TextDocumentChangeEvent);
		}
		closeDocument(onDisk = this.text): void {
			this.isClosed = true;
			const { document } = this;
			// reads the text now, so that the closed document keeps it
			document.getText();
			this.text = onDisk;
			closed.fire(document);
		}
		deleteFile(): void {
			this.isGone = true;
		}
		reopenDocument(): vscode.TextDocument {
			if (this.isGone) {
				throw new Error(`cannot open ${this.uri.toString()}`);
			}
			if (this.isClosed) {
				this.isClosed = false;
				this.version = 1;
				this.document = this.#createDocument();
				opened.fire(this.document);
			}
			return this.document;
		}
	}
	const stand = {
		onDidChangeTextDocument: changed.event,
		onDidOpenTextDocument: opened.event,
		onDidCloseTextDocument: closed.event,
		onDidRenameFiles: renamed.event,
		openTextDocument: async (uri: vscode.Uri) => {
			const text = played.get(uri.toString());
			if (!text) {
				throw new Error(`cannot open ${uri.toString()}`);
			}
			return text.reopenDocument();
		},
		applyEdit: async (edit: vscode.WorkspaceEdit) => {
			const { replaced } = edit as unknown as { replaced: { uri: vscode.Uri; range: vscode.Range; text: string }[] };
			const text = played.get(String(replaced[0]?.uri));
			const version = text?.version;
			text?.meanwhile?.();
			if (!text || text.version !== version) {
				return false;
			}
			const spans = replaced.map(({ range, text: put }) => ({
				from: text.document.offsetAt(range.start),
				to: text.document.offsetAt(range.end),
				put,
			}));
			let whole = text.text;
			for (const { from, to, put } of spans.toSorted((a, b) => b.from - a.from)) {
				whole = whole.slice(0, from) + put + whole.slice(to);
			}
			text.changeText(whole);
			return true;
		},
	};
	const before = Object.fromEntries(Object.keys(stand).map(name => [name, (vscode.workspace as unknown as Record<string, unknown>)[name]]));
	Object.assign(vscode.workspace, stand);
	return {
		renamed,
		open(uri, text) {
			const made = new Played(uri, text);
			played.set(uri.toString(), made);
			return made;
		},
		end: () => void Object.assign(vscode.workspace, before),
	};
}
