import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';

/** Remembers the last used text editor, because no editor is active while the chat has the focus. */
export class LastEditor extends DisposableBase {
	#last: vscode.TextEditor | undefined;

	constructor() {
		super();
		this.#rememberEditor(vscode.window.activeTextEditor);
		this.register(vscode.window.onDidChangeActiveTextEditor(editor => this.#rememberEditor(editor)));
	}

	/** Returns the last used editor if its tab is still open, even if hidden. Otherwise returns the visible editor if there's only one. */
	get(): vscode.TextEditor | undefined {
		const visible = vscode.window.visibleTextEditors.filter(isFileEditor);
		const last = this.#last;
		// VS Code creates a new editor object when the tab becomes visible again
		const same = visible.find(editor => editor === last) ?? visible.find(editor => editor.document === last?.document);
		return same ?? (last && hasOpenTab(last) ? last : visible.length === 1 ? visible[0] : undefined);
	}

	#rememberEditor(editor: vscode.TextEditor | undefined): void {
		if (editor && isFileEditor(editor)) {
			this.#last = editor;
		}
	}
}

function hasOpenTab({ document }: vscode.TextEditor): boolean {
	const uri = document.uri.toString();
	return vscode.window.tabGroups.all.some(({ tabs }) =>
		tabs.some(({ input }) => typeof input === 'object' && input !== null && 'uri' in input && String(input.uri) === uri),
	);
}

/** True for files, untitled documents and notebook cells. False for output channels, comment boxes and the like. */
function isFileEditor({ document: { uri, isUntitled } }: vscode.TextEditor): boolean {
	return isUntitled || uri.scheme === 'vscode-notebook-cell' || vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== undefined;
}
