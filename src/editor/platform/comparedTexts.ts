import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';

/** One side of a comparison: a file, or a read-only text with a name. */
type ComparedSide = vscode.Uri | { readonly name: string; readonly text: string };

/**
 * Compares texts, and texts with files, in VS Code's diff editor. Keeps each text while its document is open. After a reload of the window,
 * the document says that it is no longer available.
 */
export class ComparedTexts extends DisposableBase {
	readonly #texts = new Map<string, string>();
	readonly #scheme: string;
	#count = 0;

	/** @param scheme URI scheme of the read-only documents, used by no other instance */
	constructor(scheme: string) {
		super();
		this.#scheme = scheme;
		this.register(
			vscode.workspace.registerTextDocumentContentProvider(scheme, {
				provideTextDocumentContent: uri =>
					this.#texts.get(uri.toString()) ?? `${vscode.l10n.t('# This comparison is no longer available. Compare again.')}\n`,
			}),
		);
		this.register(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#texts.delete(uri.toString())));
	}

	/** Opens a diff editor for two texts. */
	async showDiff(title: string, left: ComparedSide, right: ComparedSide): Promise<void> {
		await vscode.commands.executeCommand('vscode.diff', this.createUri(left), this.createUri(right), title, { preview: true });
	}

	/** Returns the URI of a side, whose text is kept while its document is open. */
	createUri(side: ComparedSide): vscode.Uri {
		if (side instanceof vscode.Uri) {
			return side;
		}
		// use a unique path, or the editor would show an older text whose document is still open
		const uri = vscode.Uri.from({ scheme: this.#scheme, path: `/${++this.#count}/${side.name}` });
		this.#texts.set(uri.toString(), side.text);
		return uri;
	}
}
