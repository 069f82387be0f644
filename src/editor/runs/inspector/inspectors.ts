import * as vscode from 'vscode';
import { WebviewPages } from '../../platform/webviewPages.ts';
import type { RunViews } from '../following/runPresenter.ts';
import { InspectedRun, type RunSource } from './inspectedRun.ts';
import { InspectorPanel, type InspectorPanelParts, type PanelRun } from './inspectorPanel.ts';

/** The open inspectors. As with preview editors, the next inspected run replaces the previous one unless that one is kept open. */
export class Inspectors extends WebviewPages<PanelRun, InspectorPanel> implements RunViews {
	readonly #source: RunSource;

	constructor(extensionUri: vscode.Uri, parts: InspectorPanelParts) {
		super(extensionUri, {
			name: 'inspector',
			title: vscode.l10n.t({ message: 'Run', comment: ['noun: title of the inspector of a run'] }),
			create: (panel, run) => new InspectorPanel(panel, run, parts),
			parseSaved: parseSavedRun,
		});
		this.#source = parts.source;
	}

	/**
	 * Shows a run in the panel that already shows it, in a panel that isn't kept open, or in a new one. Showing the active run again keeps it
	 * open.
	 */
	showRun(key: string): void {
		const open = this.pages.find(page => page.key === key);
		if (open?.isActive) {
			open.keepOpen();
		}
		const shown = open ?? this.pages.find(({ isKept }) => !isKept);
		shown?.showRun(key);
		this.openPage({ key, kept: false }, page => page === shown).focusForm();
	}

	/** Creates a run that another view can read and follow. The caller has to dispose of it. */
	openRun(key: string): InspectedRun {
		return new InspectedRun(this.#source, key);
	}

	/** Keeps the active panel open. */
	keepOpen(): void {
		this.pages.find(({ isActive }) => isActive)?.keepOpen();
	}

	isRunVisible(key: string): boolean {
		return this.pages.some(panel => panel.key === key && panel.isVisible);
	}

	/** Shows a repetition instead of the repeated run in all panels that show that run. */
	showRepetition(repeated: string, key: string): void {
		for (const panel of this.pages) {
			if (panel.key === repeated) {
				panel.showRun(key);
			}
		}
	}
}

function parseSavedRun(state: unknown): PanelRun {
	const { key, kept } = (state ?? {}) as { readonly key?: unknown; readonly kept?: unknown };
	return { key: String(key), kept: kept === true };
}
