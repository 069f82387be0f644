import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';

/** Knows the text editor that the user was in last. While the chat has the focus no editor is the active one. */
export class LastEditor extends DisposableBase {
	#last: vscode.TextEditor | undefined;

	constructor() {
		super();
		this.#note(vscode.window.activeTextEditor);
		this.own(vscode.window.onDidChangeActiveTextEditor(editor => this.#note(editor)));
	}

	/** The editor that the user was in last, while its tab is there, in sight or not; else the only one in sight. */
	get(): vscode.TextEditor | undefined {
		const visible = vscode.window.visibleTextEditors.filter(holdsText);
		const last = this.#last;
		// the editor makes a new object of it when its tab comes back
		const same = visible.find(editor => editor === last) ?? visible.find(editor => editor.document === last?.document);
		return same ?? (last && hasTab(last) ? last : visible.length === 1 ? visible[0] : undefined);
	}

	#note(editor: vscode.TextEditor | undefined): void {
		if (editor && holdsText(editor)) {
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

/** Not an output channel, a comment box or the like, which are text editors too. */
function holdsText({ document: { uri, isUntitled } }: vscode.TextEditor): boolean {
	return isUntitled || uri.scheme === 'vscode-notebook-cell' || vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== undefined;
}
