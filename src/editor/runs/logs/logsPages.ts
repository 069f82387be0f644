import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { firstFilter, firstSort, type LogsFilter } from '#pages/logs/logsFilter.ts';
import { type KeptLogs, parseKept } from '#pages/logs/logsMessages.ts';
import { logsType } from '../../platform/names.ts';
import { tabIcon } from '../../platform/tabIcon.ts';
import { webviewPage, webviewRoots } from '../../platform/webviewPage.ts';
import type { LogFilter } from './logPage.ts';
import { LogsPanel, type LogsPanelParts } from './logsPanel.ts';
import { chooseTarget, targetOf } from './logsTarget.ts';

/** The logs pages that are open: loaded when the first one is. One for each agent, and one for all agents of a connection. */
export class LogsPages extends DisposableBase {
	readonly #extensionUri: vscode.Uri;
	readonly #parts: LogsPanelParts;
	readonly #panels = new Set<LogsPanel>();

	constructor(extensionUri: vscode.Uri, parts: LogsPanelParts) {
		super();
		this.#extensionUri = extensionUri;
		this.#parts = parts;
	}

	/** Opens the logs that a command's argument names, as they are filtered there, or asks for them. */
	async open(argument: unknown): Promise<void> {
		const target = targetOf(argument) ?? (await chooseTarget(this.#parts.connections));
		if (!target) {
			return;
		}
		const filter = filterOf(argument);
		const open = [...this.#panels].find(
			({ target: { connectionId, agent } }) => connectionId === target.connectionId && agent === target.agent,
		);
		if (open) {
			open.reveal(filter);
			return;
		}
		const panel = vscode.window.createWebviewPanel(logsType, vscode.l10n.t('Logs'), vscode.ViewColumn.Active);
		this.#fill(panel, { ...target, filter: filter ?? firstFilter, sort: firstSort });
	}

	/** Puts logs into a panel that the editor brings back; one that does not tell which is closed. */
	restore(panel: vscode.WebviewPanel, state: unknown): void {
		const kept = parseKept(state);
		if (kept) {
			this.#fill(panel, kept);
		} else {
			panel.dispose();
		}
	}

	override dispose(): void {
		super.dispose();
		for (const panel of this.#panels) {
			panel.dispose();
		}
	}

	#fill(webviewPanel: vscode.WebviewPanel, kept: KeptLogs): void {
		const { webview } = webviewPanel;
		webview.options = { enableScripts: true, localResourceRoots: webviewRoots(this.#extensionUri) };
		webviewPanel.iconPath = tabIcon(this.#extensionUri);
		const panel = new LogsPanel(webviewPanel, kept, this.#parts);
		this.#panels.add(panel);
		webviewPanel.onDidDispose(() => {
			panel.dispose();
			this.#panels.delete(panel);
		});
		webview.html = webviewPage(webview, this.#extensionUri, 'logs', webviewPanel.title);
	}
}

/** The filter of the tree's node that a command was called on. */
function filterOf(argument: unknown): LogsFilter | undefined {
	const { filter = {} } = (argument as { log?: { filter?: LogFilter } } | undefined)?.log ?? {};
	if (Object.keys(filter).length === 0) {
		return undefined;
	}
	const { status, keyword = '', span } = filter;
	const [from, to] = [span?.after, span?.before].map(at => (at === undefined ? '' : dayOf(at)));
	const dates = span?.kind === 'dates' ? { from: from ?? '', to: to ?? '' } : {};
	return { ...firstFilter, ...dates, range: span?.kind ?? 'any', text: keyword, ...(status && { status }) };
}

/** A day by the calendar of this machine, as `2026-01-31`. */
function dayOf(at: number): string {
	const date = new Date(at);
	return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(part => String(part).padStart(2, '0')).join('-');
}
