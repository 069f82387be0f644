import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';

const scheme = 'agent-workbench-result';
/** Maximum number of texts to keep for open diff editors. */
const mostTexts = 40;

/** Compares two values in VS Code's diff editor. */
export class SideBySide extends DisposableBase {
	readonly #texts = new Map<string, string>();
	#count = 0;

	constructor() {
		super();
		this.register(
			vscode.workspace.registerTextDocumentContentProvider(scheme, {
				provideTextDocumentContent: ({ path }) => this.#texts.get(path) ?? '',
			}),
		);
	}

	async showDiff(title: string, before: string, after: string): Promise<void> {
		// use JSON highlighting if both texts look like JSON
		const ending = [before, after].every(text => /^\s*[[{]/.test(text)) ? 'json' : 'txt';
		const [left, right] = [before, after].map(text => this.#storeText(text, ending));
		await vscode.commands.executeCommand('vscode.diff', left, right, title);
	}

	#storeText(text: string, ending: string): vscode.Uri {
		const path = `/${++this.#count}.${ending}`;
		this.#texts.set(path, text);
		const [oldest] = this.#texts.size > mostTexts ? this.#texts.keys() : [];
		if (oldest !== undefined) {
			this.#texts.delete(oldest);
		}
		return vscode.Uri.from({ scheme, path });
	}
}
