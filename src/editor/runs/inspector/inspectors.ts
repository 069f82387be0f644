import * as vscode from 'vscode';
import { WebviewPages } from '../../platform/webviewPages.ts';
import type { RunViews } from '../following/runPresenter.ts';
import { InspectedRun, type RunSource } from './inspectedRun.ts';
import { InspectorPanel, type InspectorPanelParts, type PanelRun } from './inspectorPanel.ts';

/**
 * The inspectors that are open: loaded when the first one is. As with the editor's previews, the next run that is looked at takes the place of the
 * one before, unless that one is kept.
 */
export class Inspectors extends WebviewPages<PanelRun, InspectorPanel> implements RunViews {
	readonly #source: RunSource;

	constructor(extensionUri: vscode.Uri, parts: InspectorPanelParts) {
		super(extensionUri, {
			name: 'inspector',
			title: vscode.l10n.t('Run'),
			create: (panel, run) => new InspectorPanel(panel, run, parts),
			saved: savedRun,
		});
		this.#source = parts.source;
	}

	/** Shows a run: where it is open, in the place of one that is not kept, or in a new panel. Who asks again for the run in front keeps it. */
	show(key: string): void {
		const open = this.pages.find(page => page.key === key);
		if (open?.isActive) {
			open.keep();
		}
		const shown = open ?? this.pages.find(({ isKept }) => !isKept);
		shown?.show(key);
		this.openPage({ key, kept: false }, page => page === shown).focusForm();
	}

	/** A run to be read and followed by another view; who asks for it disposes of it. */
	read(key: string): InspectedRun {
		return new InspectedRun(this.#source, key);
	}

	/** Keeps the run of the panel in front. */
	keepOpen(): void {
		this.pages.find(({ isActive }) => isActive)?.keep();
	}

	/** Whether a run is on the screen. */
	isVisible(key: string): boolean {
		return this.pages.some(panel => panel.key === key && panel.isVisible);
	}

	/** Goes on with the run that repeats the one that is shown, wherever that is. */
	follow(repeated: string, key: string): void {
		for (const panel of this.pages) {
			if (panel.key === repeated) {
				panel.show(key);
			}
		}
	}
}

/** Reads the run that a page saved. */
function savedRun(state: unknown): PanelRun {
	const { key, kept } = (state ?? {}) as { readonly key?: unknown; readonly kept?: unknown };
	return { key: String(key), kept: kept === true };
}
