import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { getErrorMessage } from '#base/problems.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { type DocumentTarget, parseDocumentUri, toDocumentUri } from './documentUri.ts';
import { fetchDocument } from './fetchDocument.ts';

/**
 * Provides runs and conversations of a service as read-only JSON documents. Fetches a document when it is opened, and again after a reload.
 * A shortened document has a code lens at its top that opens the full one.
 */
export class ServiceDocuments extends DisposableBase implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider {
	readonly #connections: Connections;
	readonly #changed = this.register(new vscode.EventEmitter<vscode.Uri>());
	readonly onDidChange = this.#changed.event;
	readonly #lensesChanged = this.register(new vscode.EventEmitter<void>());
	readonly onDidChangeCodeLenses = this.#lensesChanged.event;
	/** URIs of the open documents that were shortened. */
	readonly #cut = new Set<string>();

	constructor(connections: Connections) {
		super();
		this.#connections = connections;
		this.register(vscode.workspace.onDidCloseTextDocument(document => this.#cut.delete(document.uri.toString())));
	}

	/** Opens a document. If it is already open, fetches it again. */
	async openDocument(target: DocumentTarget): Promise<void> {
		const uri = toDocumentUri(target);
		const open = vscode.workspace.textDocuments.some(document => document.uri.toString() === uri.toString());
		if (open) {
			this.#changed.fire(uri);
		}
		const document = await vscode.workspace.openTextDocument(uri);
		await vscode.window.showTextDocument(document, { preview: true });
	}

	async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
		const target = parseDocumentUri(uri);
		if (!target) {
			return vscode.l10n.t("This address doesn't belong to a run or a conversation.");
		}
		try {
			const { text, cut } = await fetchDocument(this.#connections, target);
			if (cut) {
				this.#cut.add(uri.toString());
			} else {
				this.#cut.delete(uri.toString());
			}
			this.#lensesChanged.fire();
			return text;
		} catch (error) {
			// no command could report the error if the document was restored after a reload, so show the error in the document
			return `${JSON.stringify({ problem: getErrorMessage(this.#connections.toProblem(target.connectionId, error)) }, undefined, 2)}\n`;
		}
	}

	provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
		const target = parseDocumentUri(document.uri);
		const top = new vscode.Range(0, 0, 0, 0);
		const refresh = { title: vscode.l10n.t('Refresh'), command: 'agentWorkbench.document.open', arguments: [target] };
		const full = {
			title: vscode.l10n.t('Shortened: open full document'),
			command: 'agentWorkbench.document.open',
			arguments: [{ ...target, full: true }],
		};
		return [
			...(this.#cut.has(document.uri.toString()) ? [new vscode.CodeLens(top, full)] : []),
			...(target ? [new vscode.CodeLens(top, refresh)] : []),
		];
	}
}
