import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TextCallEntry, TextCallPage, TextCallsQuery, UsageQuery } from '#contract/text/textCalls.ts';
import type { Connection, Connections } from '#editor/connections/connectionTypes.ts';
import { ColumnMemory } from '#editor/platform/columnMemory.ts';
import { UsagePanel } from '#editor/runs/usage/usagePanel.ts';
import type { FromUsageHost, UsageView } from '#pages/usage/usageMessages.ts';
import { RecordedLog } from '../../../../support/editor/connectionsUnderTest.ts';
import { MemoryState } from '../../../../support/editor/memoryState.ts';

type Message<T extends FromUsageHost['type']> = Extract<FromUsageHost, { type: T }>;

const createEntry = (id: number): TextCallEntry => ({
	id: String(id),
	created_at: id,
	endpoint: 'node',
	model: id % 2 ? 'odd' : 'even',
	route: '*',
	provider: 'anthropic',
	status: 200,
	error: null,
	user: 'kim',
	agent: 'helper',
	run_id: `run-${id}`,
	tries: 1,
	cache_hit: false,
	elapsed_time: 1,
	input_tokens: 1,
	cached_tokens: 0,
	output_tokens: 1,
	cost: 0.5,
	currency: 'USD',
});

/** The panel of a gateway with 250 calls. The test acts as the page. */
class PlayedPage {
	readonly asked: (TextCallsQuery | UsageQuery)[] = [];
	readonly #received = new vscode.EventEmitter<unknown>();
	readonly #posted = new vscode.EventEmitter<FromUsageHost>();
	readonly panel: UsagePanel;
	readonly webview = {
		title: '',
		visible: true,
		webview: {
			onDidReceiveMessage: this.#received.event,
			postMessage: async (message: FromUsageHost) => this.#posted.fire(structuredClone(message)),
		},
		onDidChangeViewState: new vscode.EventEmitter<void>().event,
		reveal: () => {},
	};
	failure: Error | undefined;

	constructor(view: UsageView) {
		const client = {
			getModelCacheSize: async () => ({ entries: 2, bytes: 2048 }),
			listTextCalls: async (query: TextCallsQuery): Promise<TextCallPage> => {
				this.asked.push(query);
				if (this.failure) {
					throw this.failure;
				}
				const all = Array.from({ length: 250 }, (_, i) => createEntry(250 - i)).filter(
					({ model }) => !query.model || model === query.model,
				);
				const rest = all.filter(({ id }) => query.last_id === undefined || Number(id) < Number(query.last_id));
				const data = rest.slice(0, query.limit as number);
				const more = rest.length > data.length;
				return { limit: data.length, has_more: more, next_id: more ? (data.at(-1)?.id ?? null) : null, data };
			},
			getTextCall: async (id: string) => ({ request: `request of ${id}`, reply: null }),
			getUsage: async (query: UsageQuery) => {
				this.asked.push(query);
				if (this.failure) {
					throw this.failure;
				}
				return [
					{
						name: String(query.by),
						currency: 'USD',
						calls: 1,
						failed: 0,
						cache_hits: 0,
						input_tokens: 1,
						cached_tokens: 0,
						output_tokens: 1,
						cost: 1,
					},
				];
			},
		};
		const connections = { getClient: async () => client, toProblem: (_id: string, error: Error) => error } as unknown as Connections;
		const createBuiltIn = () => ({ id: 'built-in' }) as Connection;
		this.panel = new UsagePanel(this.webview as unknown as vscode.WebviewPanel, view, {
			connections,
			builtIn: createBuiltIn,
			columns: new ColumnMemory(new MemoryState(), 'usage'),
			log: new RecordedLog().channel,
		});
	}

	send(message: object): void {
		this.#received.fire(message);
	}

	waitForMessage<T extends FromUsageHost['type']>(type: T, wanted: (message: Message<T>) => boolean = () => true): Promise<Message<T>> {
		return new Promise(resolve => {
			const listener = this.#posted.event(message => {
				if (message.type === type && wanted(message as Message<T>)) {
					listener.dispose();
					resolve(message as Message<T>);
				}
			});
		});
	}

	/** Sends a message and resolves with the next state that isn't loading. */
	async loadState(message: object): Promise<Message<'state'>['state']> {
		const state = this.waitForMessage('state', each => !each.state.loading);
		this.send(message);
		return (await state).state;
	}
}

describe('the request log and usage page', () => {
	it('loads calls in pages, and sends the visible ones', async () => {
		const page = new PlayedPage('calls');
		const rows = page.waitForMessage('rows');
		const first = await page.loadState({ type: 'ready' });
		assert.deepEqual([first.count, first.hasMore, first.cache], [100, true, { entries: 2, bytes: 2048 }]);
		assert.equal((await rows).rows[0]?.id, '250');
		const second = await page.loadState({ type: 'command', command: 'loadMore' });
		assert.deepEqual([second.count, second.generation], [200, first.generation]);
		const slice = page.waitForMessage('rows');
		page.send({ type: 'slice', from: 150, to: 152 });
		assert.deepEqual(
			(await slice).rows.map(({ id }) => id),
			['100', '99'],
		);
		assert.equal((await page.loadState({ type: 'command', command: 'loadMore' })).hasMore, false);
	});

	it('loads again for a new filter', async () => {
		const page = new PlayedPage('calls');
		await page.loadState({ type: 'ready' });
		const state = await page.loadState({
			type: 'filter',
			filter: { text: ' tide ', model: ' odd ', agent: '', status: 'failed', range: 'hour' },
		});
		const { created_at__after: after, ...query } = page.asked.at(-1) as TextCallsQuery;
		assert.deepEqual(query, { limit: 100, keyword: 'tide', model: 'odd', status: 'failed' });
		assert.ok(Math.abs(Date.now() - 3_600_000 - Date.parse(after ?? '')) < 60_000, `${after} isn't an hour ago`);
		assert.equal(state.count, 100);
		page.send({ type: 'filter', filter: { model: 1 } });
		assert.equal(page.asked.length, 2);
	});

	it('shows a call with its stored bodies', async () => {
		const page = new PlayedPage('calls');
		await page.loadState({ type: 'ready' });
		const opened = page.waitForMessage('call');
		page.send({ type: 'open', id: '249' });
		const { call, bodies } = await opened;
		assert.deepEqual([call.id, bodies], ['249', { request: 'request of 249', reply: null }]);
	});

	it('sums by day, model and agent over the chosen range', async () => {
		const page = new PlayedPage('usage');
		assert.equal(page.webview.title, 'Usage');
		const state = await page.loadState({ type: 'ready' });
		assert.deepEqual(
			Object.entries(state.sums ?? {}).map(([by, rows]) => [by, rows[0]?.name]),
			[
				['day', 'day'],
				['model', 'model'],
				['agent', 'agent'],
			],
		);
		const { from, to } = page.asked[0] as UsageQuery;
		assert.equal(Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000), 29);
		await page.loadState({ type: 'range', days: 7 });
		const week = page.asked.at(-1) as UsageQuery;
		assert.equal(Math.round((Date.parse(week.to) - Date.parse(week.from)) / 86_400_000), 6);
		assert.equal((await page.loadState({ type: 'view', view: 'calls' })).count, 100);
		assert.equal(page.webview.title, 'Request Log');
	});

	it('reports an error, and recovers', async () => {
		const page = new PlayedPage('calls');
		page.failure = new Error('The gateway is away.');
		assert.equal((await page.loadState({ type: 'ready' })).problem, 'The gateway is away.');
		page.failure = undefined;
		const state = await page.loadState({ type: 'command', command: 'refresh' });
		assert.deepEqual([state.problem, state.count], [undefined, 100]);
	});

	it('shows nothing of another filter or range if loading fails, and mixes no pages of two filters', async () => {
		const page = new PlayedPage('calls');
		await page.loadState({ type: 'ready' });
		page.failure = new Error('The gateway is away.');
		const filter = { text: '', model: 'odd', agent: '', status: '', range: 'any' };
		const failed = await page.loadState({ type: 'filter', filter });
		assert.deepEqual([failed.problem, failed.count, failed.hasMore], ['The gateway is away.', 0, false]);
		page.failure = undefined;
		assert.equal((await page.loadState({ type: 'view', view: 'usage' })).sums?.day.length, 1);
		page.failure = new Error('The gateway is away.');
		assert.equal((await page.loadState({ type: 'range', days: 7 })).sums, undefined);
	});
});
