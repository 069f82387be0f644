import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { isEditableScheme } from './names.ts';

/** Milliseconds without a change after which a document is checked. */
const quietMs = 200;

interface DocumentChecksParts {
	readonly isChecked: (document: vscode.TextDocument) => boolean;
	readonly check: (document: vscode.TextDocument) => Promise<void>;
	/** Called when a document was closed. */
	readonly forget: (uri: vscode.Uri) => void;
}

/** Checks open documents when they are opened or saved, and shortly after each change. */
export class DocumentChecks extends DisposableBase {
	readonly #parts: DocumentChecksParts;
	readonly #timers = new Map<string, NodeJS.Timeout>();

	constructor(parts: DocumentChecksParts) {
		super();
		this.#parts = parts;
		this.register(vscode.workspace.onDidOpenTextDocument(document => this.#scheduleCheck(document, 0)));
		this.register(vscode.workspace.onDidChangeTextDocument(({ document }) => this.#scheduleCheck(document, quietMs)));
		this.register(vscode.workspace.onDidSaveTextDocument(document => this.#scheduleCheck(document, 0)));
		this.register(
			vscode.workspace.onDidCloseTextDocument(({ uri }) => {
				this.#clearTimer(uri);
				parts.forget(uri);
			}),
		);
		this.register({ dispose: () => this.#timers.forEach(clearTimeout) });
	}

	/** Checks all open documents again, because something that their problems depend on has changed. */
	recheckDocuments(): void {
		for (const document of vscode.workspace.textDocuments) {
			this.#scheduleCheck(document, 0);
		}
	}

	#scheduleCheck(document: vscode.TextDocument, ms: number): void {
		if (!isEditableScheme(document.uri.scheme) || !this.#parts.isChecked(document)) {
			return;
		}
		this.#clearTimer(document.uri);
		const timer = setTimeout(() => {
			this.#timers.delete(document.uri.toString());
			void this.#parts.check(document);
		}, ms);
		this.#timers.set(document.uri.toString(), timer);
	}

	#clearTimer(uri: vscode.Uri): void {
		clearTimeout(this.#timers.get(uri.toString()));
		this.#timers.delete(uri.toString());
	}
}
