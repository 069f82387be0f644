import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';

/** Scheme of the read-only documents of what a deployment has. */
const thereScheme = 'agent-workbench-dify';

/** One side of a comparison: a file as its editor has it, or a text that is shown read-only under a name. */
type ComparedSide = vscode.Uri | { readonly name: string; readonly text: string };

/**
 * Texts of deployments beside files, in VS Code's own comparison. A text is kept as long as its document is open; one that the editor brings back after a
 * reload says that it is to be asked for again.
 */
export class ComparedTexts extends DisposableBase {
	readonly #texts = new Map<string, string>();
	#count = 0;

	constructor() {
		super();
		this.own(
			vscode.workspace.registerTextDocumentContentProvider(thereScheme, {
				provideTextDocumentContent: uri =>
					this.#texts.get(uri.toString()) ??
					`${vscode.l10n.t("# This comparison is closed. Use 'Compare with Dify' to see the current version.")}\n`,
			}),
		);
		this.own(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#texts.delete(uri.toString())));
	}

	/** Shows two texts beside each other; what is left comes before what is right. */
	async show(title: string, left: ComparedSide, right: ComparedSide): Promise<void> {
		await vscode.commands.executeCommand('vscode.diff', this.#uriOf(left), this.#uriOf(right), title, { preview: true });
	}

	#uriOf(side: ComparedSide): vscode.Uri {
		if (side instanceof vscode.Uri) {
			return side;
		}
		// a path of its own: the editor would show the text of an older one, whose document is still open
		const uri = vscode.Uri.from({ scheme: thereScheme, path: `/${++this.#count}/${side.name}` });
		this.#texts.set(uri.toString(), side.text);
		return uri;
	}
}
