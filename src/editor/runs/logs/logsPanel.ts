import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { getErrorMessage, getRemedy } from '#base/problems.ts';
import type { WorkflowRunDetail } from '#contract/workflows.ts';
import { hasInvalidDates } from '#pages/logs/logsFilter.ts';
import {
	type FromLogs,
	type FromLogsHost,
	type Histogram,
	type KeptLogs,
	type LogsState,
	parseLogsMessage,
} from '#pages/logs/logsMessages.ts';
import { getLogsStrings } from '#pages/logs/logsStrings.ts';
import type { Handlers } from '#pages/shared/handlers.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import type { ServiceRunReference } from '#runs/serviceRun.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import type { ColumnMemory } from '../../platform/columnMemory.ts';
import { PanelPage } from '../../platform/webviewPage.ts';
import { countLoadedRuns, countRunsOnService } from './histogram.ts';
import { LoadedLogs } from './loadedLogs.ts';
import { getLogsTitle } from './logsTarget.ts';
import { RunPreviews } from './runPreviews.ts';
import { saveLogsAsCsv } from './saveAsCsv.ts';

/** Milliseconds during which changes are collected into one message. */
const gatherMs = 20;
/** Milliseconds between checks of a live page for new runs. */
const liveMs = 3000;
/** Number of entries to send immediately with a reordered list, about as many as are visible. */
const firstRows = 60;

export interface LogsPanelParts {
	readonly connections: Connections;
	readonly columns: ColumnMemory;
	readonly log: vscode.LogOutputChannel;
}

/**
 * The host's side of a logs page. The page gets the number of entries and requests the visible ones. A hidden page gets no messages and
 * requests a new snapshot when it is shown again.
 */
export class LogsPanel extends PanelPage<FromLogs, FromLogsHost> {
	readonly #parts: LogsPanelParts;
	readonly #kept: KeptLogs;
	readonly #logs: LoadedLogs;
	readonly #previews: RunPreviews;
	#live = false;
	#liveTimer: NodeJS.Timeout | undefined;
	#added = 0;
	#sentGeneration = -1;
	/** Identifies the filter and the total of the last count by the service. */
	#countedKey: string | undefined;
	#counting = new AbortController();

	constructor(panel: vscode.WebviewPanel, kept: KeptLogs, parts: LogsPanelParts) {
		super(panel, { parse: parseLogsMessage, name: 'Logs', log: parts.log });
		this.#parts = parts;
		this.#kept = kept;
		panel.title = vscode.l10n.t({
			message: 'Logs of {0}',
			args: [getLogsTitle(parts.connections, kept)],
			comment: ['{0} is the name of an agent or a connection'],
		});
		this.#logs = this.register(new LoadedLogs(parts.connections, kept, kept.filter, kept.sort));
		this.#previews = new RunPreviews(
			(entry, signal) => this.#fetchDetail(entry, signal),
			previews => this.post({ type: 'previews', previews }),
		);
		this.register(this.#logs.onDidChange(() => this.#scheduleChanges()));
	}

	get target(): KeptLogs {
		return this.#kept;
	}

	/** Applies another filter. */
	applyFilter(filter: KeptLogs['filter']): void {
		this.start(this.#logs.setFilter(filter));
	}

	override onHidden(): void {
		super.onHidden();
		this.#previews.cancelRequests();
		this.#counting.abort();
		this.#countedKey = undefined;
		clearTimeout(this.#liveTimer);
	}

	protected override readonly handlers: Handlers<FromLogs> = {
		widths: message => this.#parts.columns.saveWidths(message),
		ready: () => this.#sendSnapshot(),
		filter: message => this.#logs.setFilter(message.filter),
		sort: message => this.#logs.setSort(message.sort),
		slice: message => this.#sendRows(message.from, message.to),
		previews: message => this.#previews.showPreviews(message.ids.flatMap(id => this.#logs.findEntry(id) ?? [])),
		live: message => {
			this.#live = message.on;
			this.#scheduleChanges();
			this.#scheduleCheck(0);
		},
		compare: message => this.#compareRuns(message.ids),
		act: message => this.#runAction(message.act, message.id),
		command: message => this.#runCommand(message.command),
	};

	async #runCommand(command: Extract<FromLogs, { type: 'command' }>['command']): Promise<void> {
		const logs = this.#logs;
		switch (command) {
			case 'loadMore':
				await logs.loadMoreEntries();
				break;
			case 'cancel':
				logs.cancelLoading();
				break;
			case 'refresh':
				this.#countedKey = undefined;
				await logs.reloadEntries();
				break;
			case 'remedy': {
				const remedy = getRemedy(logs.error);
				if (remedy) {
					await vscode.commands.executeCommand(remedy.command, ...(remedy.arguments ?? []));
					await logs.reloadEntries();
				}
				break;
			}
			case 'export':
				await saveLogsAsCsv(getLogsTitle(this.#parts.connections, this.#kept), logs.shown, entry => this.#fetchDetail(entry));
		}
	}

	async #sendSnapshot(): Promise<void> {
		const { connections } = this.#parts;
		const connection = connections.get(this.#kept.connectionId);
		this.#sentGeneration = -1;
		this.startPage({
			type: 'snapshot',
			head: {
				target: { connectionId: this.#kept.connectionId, ...(this.#kept.agent !== undefined && { agent: this.#kept.agent }) },
				name: getLogsTitle(connections, this.#kept),
				connection: connection?.name ?? this.#kept.connectionId,
				noErrorSearch: connection?.kind === 'dify',
			},
			state: this.#getState(),
			strings: getLogsStrings(vscode.l10n),
			widths: this.#parts.columns.getWidths(),
		});
		this.#scheduleCheck(liveMs);
		if (this.#logs.isLoaded) {
			this.#scheduleChanges();
		} else if (!hasInvalidDates(this.#logs.filter)) {
			await this.#logs.reloadEntries();
		}
	}

	#scheduleChanges(): void {
		if (this.isReady) {
			this.schedule(gatherMs, () => this.#sendChanges());
		}
	}

	#sendChanges(): void {
		const { generation, isLoading } = this.#logs;
		this.post({ type: 'state', state: this.#getState() });
		this.#added = 0;
		if (generation !== this.#sentGeneration) {
			this.#sentGeneration = generation;
			this.#sendRows(0, firstRows);
		}
		if (!isLoading) {
			this.start(this.#updateHistogram());
		}
	}

	#getState(): LogsState {
		const { filter, sort, generation, shown, read, total, hasMore, isLoading, isLoaded, isPartial, error } = this.#logs;
		const remedy = getRemedy(error)?.title;
		return {
			filter,
			sort,
			generation,
			count: shown.length,
			added: this.#added,
			read,
			...(total !== undefined && { total }),
			hasMore,
			loading: isLoading,
			loaded: isLoaded,
			partial: isPartial,
			wrongDates: hasInvalidDates(filter),
			live: this.#live,
			...(error !== undefined && { problem: { text: getErrorMessage(error), ...(remedy !== undefined && { remedy }) } }),
		};
	}

	#sendRows(from: number, to: number): void {
		const { generation, shown } = this.#logs;
		this.post({ type: 'rows', generation, from, rows: shown.slice(from, to) });
	}

	/** Counts runs over time. Lets the service count them if it can count filtered runs, otherwise counts only the loaded runs. */
	async #updateHistogram(): Promise<void> {
		const logs = this.#logs;
		const { asked, shown, hasMore, isPartial, total } = logs;
		const { connectionId, agent } = this.#kept;
		const { span } = asked;
		const now = Date.now();
		const isCounted = hasMore && !isPartial && agent !== undefined && total !== undefined;
		const key = isCounted && span ? JSON.stringify([logs.filter, total]) : undefined;
		if (key !== undefined && key === this.#countedKey) {
			return;
		}
		// a count in progress belongs to an older list
		this.#counting.abort();
		this.#counting = new AbortController();
		this.#countedKey = key;
		if (!isCounted || !span) {
			this.#sendHistogram(countLoadedRuns(shown, span, hasMore, now));
			return;
		}
		const { signal } = this.#counting;
		let histogram: Histogram | undefined;
		try {
			const client = await this.#parts.connections.getClient(connectionId, { ask: false });
			histogram = await countRunsOnService(client, { connectionId, agent }, { ...asked, span }, now, signal);
		} catch (error) {
			this.#parts.log.debug(`Logs: ${getErrorMessage(error)}`);
			// the page's histogram belongs to an older list
			histogram = countLoadedRuns(shown, span, hasMore, now);
		}
		if (!signal.aborted) {
			this.#sendHistogram(histogram);
		}
	}

	#sendHistogram(histogram: Histogram | undefined): void {
		this.post({ type: 'histogram', histogram });
	}

	#scheduleCheck(ms: number): void {
		clearTimeout(this.#liveTimer);
		if (this.#live && this.isReady && !this.disposed) {
			this.#liveTimer = setTimeout(() => this.start(this.#checkForNewRuns()), ms);
		}
	}

	async #checkForNewRuns(): Promise<void> {
		this.#added += await this.#logs.refreshFirstPage();
		// stop after an error, so that it is reported only once
		this.#live &&= this.#logs.error === undefined;
		this.#scheduleCheck(liveMs);
	}

	async #fetchDetail(entry: LogEntry, signal?: AbortSignal): Promise<WorkflowRunDetail> {
		const { connectionId, agentName: model, runId } = this.#getRun(entry);
		const client = await this.#parts.connections.getClient(connectionId, { ask: false });
		return client.getRun(runId, { model }, signal && { signal });
	}

	#getRun({ agent, runId }: LogEntry): ServiceRunReference {
		return { connectionId: this.#kept.connectionId, agentName: agent, runId };
	}

	async #runAction(act: Extract<FromLogs, { type: 'act' }>['act'], id: string): Promise<void> {
		const entry = this.#logs.findEntry(id);
		if (entry) {
			await vscode.commands.executeCommand(`agentWorkbench.run.${act}` satisfies CommandId, this.#getRun(entry));
		}
	}

	async #compareRuns(ids: readonly string[]): Promise<void> {
		const runs = ids.flatMap(id => this.#logs.findEntry(id) ?? []).map(entry => this.#getRun(entry));
		if (runs.length === 2) {
			await vscode.commands.executeCommand('agentWorkbench.run.compare' satisfies CommandId, runs[0], runs);
		}
	}
}
