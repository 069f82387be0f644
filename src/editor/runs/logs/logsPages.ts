import * as vscode from 'vscode';
import { formatCalendarDay } from '#base/text/calendarDay.ts';
import { firstFilter, firstSort, type LogsFilter } from '#pages/logs/logsFilter.ts';
import { type KeptLogs, parseKeptLogs } from '#pages/logs/logsMessages.ts';
import { WebviewPages } from '../../platform/webviewPages.ts';
import type { LogFilter } from './logPage.ts';
import { LogsPanel, type LogsPanelParts } from './logsPanel.ts';
import { chooseLogsTarget, getLogsTarget } from './logsTarget.ts';

/** The open logs pages: at most one for each agent, and one for all agents of a connection. */
export class LogsPages extends WebviewPages<KeptLogs, LogsPanel> {
	readonly #parts: LogsPanelParts;

	constructor(extensionUri: vscode.Uri, parts: LogsPanelParts) {
		super(extensionUri, {
			name: 'logs',
			title: vscode.l10n.t('Logs'),
			create: (panel, kept) => new LogsPanel(panel, kept, parts),
			parseSaved: parseKeptLogs,
		});
		this.#parts = parts;
	}

	/** Opens the logs that a command's argument names, with its filter. If it names none, asks for an agent. */
	async openLogs(argument: unknown): Promise<void> {
		const target = getLogsTarget(argument) ?? (await chooseLogsTarget(this.#parts.connections));
		if (!target) {
			return;
		}
		const filter = getArgumentFilter(argument);
		const isPageOfTarget = ({ target: { connectionId, agent } }: LogsPanel) =>
			connectionId === target.connectionId && agent === target.agent;
		if (filter) {
			this.pages.find(isPageOfTarget)?.applyFilter(filter);
		}
		this.openPage({ ...target, filter: filter ?? firstFilter, sort: firstSort }, isPageOfTarget);
	}
}

/** Returns the filter of a command's argument, if this is a tree node. */
function getArgumentFilter(argument: unknown): LogsFilter | undefined {
	const { filter = {} } = (argument as { log?: { filter?: LogFilter } } | undefined)?.log ?? {};
	if (Object.keys(filter).length === 0) {
		return undefined;
	}
	const { status, keyword = '', span } = filter;
	const [from, to] = [span?.after, span?.before].map(at => (at === undefined ? '' : formatCalendarDay(at)));
	const dates = span?.kind === 'dates' ? { from: from ?? '', to: to ?? '' } : {};
	return { ...firstFilter, ...dates, range: span?.kind ?? 'any', text: keyword, ...(status && { status }) };
}
