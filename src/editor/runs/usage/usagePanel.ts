import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { getErrorMessage } from '#base/problems.ts';
import { formatCalendarDay } from '#base/text/calendarDay.ts';
import type { ModelCacheSize, TextCallEntry } from '#contract/text/textCalls.ts';
import type { Handlers } from '#pages/shared/handlers.ts';
import {
	type CallsFilter,
	type FromUsage,
	type FromUsageHost,
	parseUsageMessage,
	type UsageState,
	type UsageSums,
	type UsageView,
} from '#pages/usage/usageMessages.ts';
import { getUsageStrings } from '#pages/usage/usageStrings.ts';
import { createLogSpan } from '#runs/logs/logSpan.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import type { ColumnMemory } from '../../platform/columnMemory.ts';
import { PanelPage } from '../../platform/webviewPage.ts';

/** Number of calls per request. */
const pageSize = 100;
/** Number of rows to send immediately after the list was loaded again. */
const firstRows = 60;
const dayMs = 86_400_000;

export interface UsageParts {
	readonly connections: Connections;
	readonly builtIn: () => Connection;
	readonly columns: ColumnMemory;
	readonly log: vscode.LogOutputChannel;
}

/**
 * The host's side of the page with the request log and the usage of the built-in gateway. A page that is shown again requests a new
 * snapshot.
 */
export class UsagePanel extends PanelPage<FromUsage, FromUsageHost> {
	readonly #parts: UsageParts;
	#view: UsageView;
	#filter: CallsFilter = { text: '', model: '', agent: '', status: '', range: 'any' };
	#days: UsageState['days'] = 30;
	#calls: readonly TextCallEntry[] = [];
	#next: string | undefined;
	#generation = 0;
	#sums: UsageSums | undefined;
	#cache: ModelCacheSize | undefined;
	#problem: string | undefined;
	/** True if the loaded data belong to another filter or range. */
	#isOutdated = false;
	/** Aborts the current request when a new one starts. */
	#loading: AbortController | undefined;

	constructor(panel: vscode.WebviewPanel, view: UsageView, parts: UsageParts) {
		super(panel, { parse: parseUsageMessage, name: 'Usage', log: parts.log });
		this.#parts = parts;
		this.#view = view;
		this.register({ dispose: () => this.#loading?.abort() });
		this.#updateTitle();
	}

	reloadView(): void {
		this.start(this.#loadView(true));
	}

	protected override readonly handlers: Handlers<FromUsage> = {
		widths: message => this.#parts.columns.saveWidths(message),
		ready: () => {
			this.startPage({
				type: 'snapshot',
				strings: getUsageStrings(vscode.l10n),
				state: this.#getState(),
				widths: this.#parts.columns.getWidths(),
			});
			this.reloadView();
		},
		view: message => this.showView(message.view),
		filter: message => {
			this.#filter = message.filter;
			this.#isOutdated = true;
			this.reloadView();
		},
		range: message => {
			this.#days = message.days;
			this.#isOutdated = true;
			this.reloadView();
		},
		slice: message => this.#sendRows(message.from, message.to),
		open: message => this.#openCall(message.id),
		inspect: message => this.#inspectRun(message.id),
		command: message => this.#runCommand(message.command),
	};

	async #runCommand(command: Extract<FromUsage, { type: 'command' }>['command']): Promise<void> {
		if (command === 'refresh') {
			this.reloadView();
		} else if (command === 'loadMore') {
			if (!this.#loading && this.#next !== undefined) {
				await this.#loadView(false);
			}
		} else {
			await vscode.commands.executeCommand('agentWorkbench.modelCache.clear' satisfies CommandId);
		}
	}

	/** Shows a view with current data. */
	showView(view: UsageView): void {
		this.#view = view;
		this.#updateTitle();
		this.reloadView();
	}

	#updateTitle(): void {
		this.panel.title = this.#view === 'calls' ? vscode.l10n.t('Request Log') : vscode.l10n.t('Usage');
	}

	/** Loads the current data of the view. For the request log, loads the first page if `reset` is true, otherwise the next one. */
	async #loadView(reset: boolean): Promise<void> {
		this.#loading?.abort();
		const loading = new AbortController();
		const { signal } = loading;
		this.#loading = loading;
		this.#problem = undefined;
		this.#sendState();
		try {
			const client = await this.#parts.connections.getClient(this.#parts.builtIn().id);
			const cache = await client.getModelCacheSize({ signal });
			if (this.#view === 'calls') {
				const { text, model, agent, status, range } = this.#filter;
				const after = range === 'any' ? undefined : createLogSpan(range, Date.now()).after;
				const page = await client.listTextCalls(
					{
						limit: pageSize,
						...(text.trim() !== '' && { keyword: text.trim() }),
						...(model.trim() !== '' && { model: model.trim() }),
						...(agent.trim() !== '' && { agent: agent.trim() }),
						...(status !== '' && { status }),
						...(after !== undefined && { created_at__after: new Date(after).toISOString() }),
						...(!reset && this.#next !== undefined && { last_id: this.#next }),
					},
					{ signal },
				);
				signal.throwIfAborted();
				this.#generation += reset ? 1 : 0;
				this.#calls = reset ? page.data : [...this.#calls, ...page.data];
				this.#next = page.next_id ?? undefined;
			} else {
				const [from, to] = [formatCalendarDay(Date.now() - (this.#days - 1) * dayMs), formatCalendarDay(Date.now())];
				const fetchSums = (by: keyof UsageSums) => client.getUsage({ from, to, by }, { signal });
				const [day, model, agent] = await Promise.all([fetchSums('day'), fetchSums('model'), fetchSums('agent')]);
				signal.throwIfAborted();
				this.#sums = { day, model, agent };
			}
			this.#cache = cache;
			this.#isOutdated = false;
		} catch (error) {
			if (!signal.aborted) {
				if (this.#isOutdated) {
					this.#dropData();
				}
				this.#problem = getErrorMessage(this.#parts.connections.toProblem(this.#parts.builtIn().id, error));
			}
		}
		if (this.#loading === loading) {
			this.#loading = undefined;
			this.#sendState();
			if (reset && this.#view === 'calls') {
				this.#sendRows(0, firstRows);
			}
		}
	}

	#dropData(): void {
		this.#calls = [];
		this.#next = undefined;
		this.#generation++;
		this.#sums = undefined;
	}

	async #openCall(id: string): Promise<void> {
		const call = this.#calls.find(each => each.id === id);
		if (call) {
			const client = await this.#parts.connections.getClient(this.#parts.builtIn().id);
			this.post({ type: 'call', call, bodies: await client.getTextCall(id) });
		}
	}

	async #inspectRun(id: string): Promise<void> {
		const { agent, run_id: runId } = this.#calls.find(each => each.id === id) ?? {};
		if (agent && runId) {
			const run = { connectionId: this.#parts.builtIn().id, agentName: agent, runId };
			await vscode.commands.executeCommand('agentWorkbench.run.inspect' satisfies CommandId, run);
		}
	}

	#getState(): UsageState {
		return {
			view: this.#view,
			filter: this.#filter,
			days: this.#days,
			generation: this.#generation,
			count: this.#calls.length,
			hasMore: this.#next !== undefined,
			loading: this.#loading !== undefined,
			...(this.#problem !== undefined && { problem: this.#problem }),
			...(this.#sums && { sums: this.#sums }),
			...(this.#cache && { cache: this.#cache }),
		};
	}

	#sendState(): void {
		this.post({ type: 'state', state: this.#getState() });
	}

	#sendRows(from: number, to: number): void {
		this.post({ type: 'rows', generation: this.#generation, from, rows: this.#calls.slice(from, to) });
	}
}
