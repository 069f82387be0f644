import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { inspectorType } from '../../platform/names.ts';
import { tabIcon } from '../../platform/tabIcon.ts';
import { webviewPage, webviewRoots } from '../../platform/webviewPage.ts';
import type { RunViews } from '../following/runPresenter.ts';
import { InspectedRun } from './inspectedRun.ts';
import { InspectorPanel, type InspectorPanelParts, type ShownRun } from './inspectorPanel.ts';

/**
 * The inspectors that are open: loaded when the first one is. As with the editor's previews, the next run that is looked at takes the place of the
 * one before, unless that one is kept.
 */
export class Inspectors extends DisposableBase implements RunViews {
	readonly #extensionUri: vscode.Uri;
	readonly #parts: InspectorPanelParts;
	readonly #panels = new Set<InspectorPanel>();

	constructor(extensionUri: vscode.Uri, parts: InspectorPanelParts) {
		super();
		this.#extensionUri = extensionUri;
		this.#parts = parts;
	}

	/** Shows a run: where it is open, in the place of one that is not kept, or in a new panel. Who asks again for the run in front keeps it. */
	show(key: string): void {
		const open = [...this.#panels].find(panel => panel.key === key);
		if (open?.isActive) {
			open.keep();
		}
		const panel = open ?? [...this.#panels].find(({ isKept }) => !isKept);
		panel?.show(key);
		panel?.reveal();
		(panel ?? this.#create(key)).focusForm();
	}

	/** A run to be read and followed by another view; who asks for it disposes of it. */
	read(key: string): InspectedRun {
		return new InspectedRun(this.#parts.source, key);
	}

	/** Keeps the run of the panel in front. */
	keepOpen(): void {
		[...this.#panels].find(({ isActive }) => isActive)?.keep();
	}

	/** Whether a run is on the screen. */
	isVisible(key: string): boolean {
		return [...this.#panels].some(panel => panel.key === key && panel.isVisible);
	}

	/** Goes on with the run that repeats the one that is shown, wherever that is. */
	follow(repeated: string, key: string): void {
		for (const panel of this.#panels) {
			if (panel.key === repeated) {
				panel.show(key);
			}
		}
	}

	/** Puts the inspector of a run into a panel: a new one, or one that the editor brings back. */
	fill(webviewPanel: vscode.WebviewPanel, run: ShownRun): InspectorPanel {
		const { webview } = webviewPanel;
		webview.options = { enableScripts: true, localResourceRoots: webviewRoots(this.#extensionUri) };
		webviewPanel.iconPath = tabIcon(this.#extensionUri);
		const panel = new InspectorPanel(webviewPanel, run, this.#parts);
		this.#panels.add(panel);
		webviewPanel.onDidDispose(() => {
			panel.dispose();
			this.#panels.delete(panel);
		});
		webview.html = webviewPage(webview, this.#extensionUri, 'inspector', vscode.l10n.t('Run'));
		return panel;
	}

	override dispose(): void {
		super.dispose();
		for (const panel of this.#panels) {
			panel.dispose();
		}
	}

	#create(key: string): InspectorPanel {
		const panel = vscode.window.createWebviewPanel(inspectorType, vscode.l10n.t('Run'), vscode.ViewColumn.Active);
		return this.fill(panel, { key, kept: false });
	}
}
