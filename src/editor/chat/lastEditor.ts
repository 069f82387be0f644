import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';

/** Remembers the text editor used last: while the chat has focus, no editor is active. */
export class LastEditor extends DisposableBase {
	#last: vscode.TextEditor | undefined;

	constructor() {
		super();
		this.#remember(vscode.window.activeTextEditor);
		this.register(vscode.window.onDidChangeActiveTextEditor(editor => this.#remember(editor)));
	}

	/** Returns the last editor if its tab is still open, even if hidden; otherwise the only visible editor, if there's one. */
	get(): vscode.TextEditor | undefined {
		const visible = vscode.window.visibleTextEditors.filter(isFileEditor);
		const last = this.#last;
		// VS Code creates a new object when the tab becomes visible again
		const same = visible.find(editor => editor === last) ?? visible.find(editor => editor.document === last?.document);
		return same ?? (last && hasTab(last) ? last : visible.length === 1 ? visible[0] : undefined);
	}

	#remember(editor: vscode.TextEditor | undefined): void {
		if (editor && isFileEditor(editor)) {
			this.#last = editor;
		}
	}
}

function hasTab({ document }: vscode.TextEditor): boolean {
	const uri = document.uri.toString();
	return vscode.window.tabGroups.all.some(({ tabs }) =>
		tabs.some(({ input }) => typeof input === 'object' && input !== null && 'uri' in input && String(input.uri) === uri),
	);
}

/** False for output channels, comment boxes and other text editors without a file. */
function isFileEditor({ document: { uri, isUntitled } }: vscode.TextEditor): boolean {
	return isUntitled || uri.scheme === 'vscode-notebook-cell' || vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== undefined;
}
