import * as vscode from 'vscode';
import { DisposableBase } from '../../common/disposables.ts';
import { tabIcon } from '../../common/tabIcon.ts';
import { webviewPage, webviewRoots } from '../../common/webviewPage.ts';
import { inspectorType } from '../names.ts';
import { InspectorPanel, type InspectorPanelParts } from './inspectorPanel.ts';

/** The inspectors that are open, one a run: loaded when the first one is. */
export class Inspectors extends DisposableBase {
	readonly #extensionUri: vscode.Uri;
	readonly #parts: InspectorPanelParts;
	readonly #panels = new Map<string, InspectorPanel>();

	constructor(extensionUri: vscode.Uri, parts: InspectorPanelParts) {
		super();
		this.#extensionUri = extensionUri;
		this.#parts = parts;
	}

	/** Shows the inspector of a run: the one that is open, or a new one. */
	show(key: string): void {
		const open = this.#panels.get(key);
		if (open) {
			open.reveal();
			return;
		}
		this.fill(vscode.window.createWebviewPanel(inspectorType, vscode.l10n.t('Run'), vscode.ViewColumn.Active), key);
	}

	/** Puts the inspector of a run into a panel: a new one, or one that the editor brings back. */
	fill(webviewPanel: vscode.WebviewPanel, key: string): void {
		const { webview } = webviewPanel;
		webview.options = { enableScripts: true, localResourceRoots: webviewRoots(this.#extensionUri) };
		webviewPanel.iconPath = tabIcon(this.#extensionUri);
		const panel = new InspectorPanel(webviewPanel, key, this.#parts);
		this.#panels.set(key, panel);
		webviewPanel.onDidDispose(() => {
			panel.dispose();
			if (this.#panels.get(key) === panel) {
				this.#panels.delete(key);
			}
		});
		webview.html = webviewPage(webview, this.#extensionUri, 'inspector', vscode.l10n.t('Run'));
	}

	override dispose(): void {
		super.dispose();
		for (const panel of this.#panels.values()) {
			panel.dispose();
		}
	}
}
