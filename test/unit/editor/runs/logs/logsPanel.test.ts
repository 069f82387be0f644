import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Connection } from '#editor/connections/connectionTypes.ts';
import { ColumnMemory } from '#editor/platform/columnMemory.ts';
import { LogsPanel } from '#editor/runs/logs/logsPanel.ts';
import { getLogsTarget } from '#editor/runs/logs/logsTarget.ts';
import { firstFilter, firstSort, type LogsFilter } from '#pages/logs/logsFilter.ts';
import { type FromLogs, type FromLogsHost, parseKeptLogs } from '#pages/logs/logsMessages.ts';
import { RecordedLog } from '../../../../support/editor/connectionsUnderTest.ts';
import { MemoryState } from '../../../../support/editor/memoryState.ts';
import { createPlayedRuns, PlayedLogs, type PlayedRun } from './playedLogs.ts';

type Message<T extends FromLogsHost['type']> = Extract<FromLogsHost, { type: T }>;

/** A logs panel. The test acts as the page. */
class PlayedPage {
	readonly messages: FromLogsHost[] = [];
	readonly #received = new vscode.EventEmitter<unknown>();
	readonly #posted = new vscode.EventEmitter<FromLogsHost>();
	readonly #state = new vscode.EventEmitter<void>();
	readonly log = new RecordedLog();
	readonly memory = new MemoryState();
	readonly panel: LogsPanel;
	readonly #webview = {
		title: '',
		visible: true,
		webview: {
			onDidReceiveMessage: this.#received.event,
			postMessage: async (message: FromLogsHost) => {
				const copy = structuredClone(message);
				this.messages.push(copy);
				this.#posted.fire(copy);
			},
		},
		onDidChangeViewState: this.#state.event,
		reveal: () => {},
	};

	constructor(played: PlayedLogs, filter: LogsFilter = { ...firstFilter, range: 'any' }) {
		const kept = { connectionId: 'c', agent: 'a', filter, sort: firstSort };
		const webviewPanel = this.#webview as unknown as vscode.WebviewPanel;
		this.panel = new LogsPanel(webviewPanel, kept, {
			connections: played.connections,
			columns: new ColumnMemory(this.memory, 'logs'),
			log: this.log.channel,
		});
	}

	get title(): string {
		return this.#webview.title;
	}

	send(message: FromLogs | object): void {
		this.#received.fire(message);
	}

	hide(): void {
		this.#webview.visible = false;
		this.#state.fire();
	}

	waitForMessage<T extends FromLogsHost['type']>(type: T, wanted: (message: Message<T>) => boolean = () => true): Promise<Message<T>> {
		return new Promise(resolve => {
			const listener = this.#posted.event(message => {
				if (message.type === type && wanted(message as Message<T>)) {
					listener.dispose();
					resolve(message as Message<T>);
				}
			});
		});
	}

	/** Reports that the page is ready, and waits for its first rows. */
	async open(): Promise<Message<'state'>> {
		const loaded = this.waitForMessage('state', ({ state }) => state.loaded && !state.loading);
		this.send({ type: 'ready' });
		return loaded;
	}
}

describe('the host side of a logs page', () => {
	let now = 0;
	const pages: PlayedPage[] = [];
	const openPanel = (runs: PlayedRun[], filter?: LogsFilter, kind?: Connection['kind']) => {
		const played = new PlayedLogs({ a: runs }, true, kind);
		const page = new PlayedPage(played, filter);
		pages.push(page);
		return { played, page };
	};
	const executed: unknown[][] = [];
	const { executeCommand } = vscode.commands;
	beforeEach(() => {
		now = Date.now();
		executed.length = 0;
		Object.assign(vscode.commands, { executeCommand: async (...args: unknown[]) => void executed.push(args) });
	});
	afterEach(() => {
		Object.assign(vscode.commands, { executeCommand });
		for (const page of pages.splice(0)) {
			page.panel.dispose();
		}
	});

	it("sends nothing to a page that isn't ready, then the state and the first rows", async () => {
		const { page, played } = openPanel(createPlayedRuns(150, now));
		assert.deepEqual([page.messages, played.queries], [[], []]);
		const rows = page.waitForMessage('rows');
		const { state } = await page.open();
		assert.deepEqual([page.title, state.count, state.total, state.hasMore, state.partial], ['Logs of a', 100, 150, true, false]);
		assert.deepEqual([(await rows).from, (await rows).rows.length], [0, 60]);
		const slice = page.waitForMessage('rows');
		page.send({ type: 'slice', from: 60, to: 100 });
		assert.deepEqual((await slice).rows.map(({ id }) => id).slice(0, 2), ['run-60', 'run-61']);
		const more = page.waitForMessage('state', message => message.state.count === 150);
		page.send({ type: 'command', command: 'loadMore' });
		assert.equal((await more).state.generation, state.generation);
	});

	it('remembers the widths of columns', async () => {
		const { page } = openPanel(createPlayedRuns(1, now));
		page.send({ type: 'widths', widths: { agent: 200 } });
		page.send({ type: 'widths', widths: { agent: 'wide' } });
		const snapshot = page.waitForMessage('snapshot');
		await page.open();
		assert.deepEqual((await snapshot).widths, { agent: 200 });
	});

	it('sends previews of visible runs, and a histogram counted by the service', async () => {
		const { page, played } = openPanel(
			createPlayedRuns(150, now, place => ({ text: place === 1 ? '<img src=x onerror=alert(1)>' : 'fine' })),
			{ ...firstFilter, range: 'hour' },
		);
		const counted = page.waitForMessage('histogram', ({ histogram }) => histogram?.isPartial === false);
		await page.open();
		const sums = (await counted).histogram?.bars.reduce((sum, bar) => sum + bar.succeeded, 0);
		assert.equal(sums, 150);
		const preview = page.waitForMessage('previews', ({ previews }) => 'run-1' in previews);
		page.send({ type: 'previews', ids: ['run-1', 'run-149', 'unknown'] });
		assert.deepEqual((await preview).previews['run-1'], {
			inputs: '<img src=x onerror=alert(1)>',
			outputs: 'said <img src=x onerror=alert(1)>',
			final: true,
		});
		assert.deepEqual(played.details, ['run-1'], 'what is not listed is not asked for');
	});

	it('stops counting a replaced list, and counts no list twice', async () => {
		const runs = createPlayedRuns(150, now, place => ({ text: place === 1 ? 'timeout' : 'fine' }));
		const { page, played } = openPanel(runs, { ...firstFilter, range: 'hour' });
		await page.open();
		const found = page.waitForMessage('state', ({ state }) => state.count === 1 && !state.loading);
		page.send({ type: 'filter', filter: { ...firstFilter, range: 'hour', text: 'timeout' } });
		await found;
		const asked = played.queries.length;
		await new Promise(setImmediate);
		assert.ok(played.queries.length - asked <= 4, 'those that were on their way');
		const last = page.messages.findLast(({ type }) => type === 'histogram') as Message<'histogram'>;
		assert.equal(
			last.histogram?.bars.reduce((sum, bar) => sum + bar.succeeded, 0),
			1,
		);
		const countQueries = () => played.queries.filter(({ limit }) => limit === 1).length;
		const all = page.waitForMessage(
			'histogram',
			({ histogram }) => histogram?.isPartial === false && (histogram.bars.at(-1)?.succeeded ?? 0) > 1,
		);
		const before = countQueries();
		page.send({ type: 'filter', filter: { ...firstFilter, range: 'hour' } });
		page.send({ type: 'sort', sort: firstSort });
		await all;
		page.send({ type: 'live', on: false });
		await page.waitForMessage('state');
		assert.equal(countQueries() - before, 72);
	});

	it("sends nothing to a hidden page, and a new snapshot when it's shown again", async () => {
		const { page, played } = openPanel(createPlayedRuns(10, now));
		await page.open();
		page.send({ type: 'live', on: true });
		page.hide();
		const { length } = page.messages;
		played.add('a', { id: 'new', at: now / 1000 });
		page.send({ type: 'slice', from: 0, to: 10 });
		await new Promise(setImmediate);
		assert.equal(page.messages.length, length);
		const snapshot = page.waitForMessage('snapshot');
		page.send({ type: 'ready' });
		assert.deepEqual([(await snapshot).state.count, (await snapshot).state.live], [10, true]);
	});

	it('adds new runs at the top while live, and reports how many', async () => {
		const { page, played } = openPanel(createPlayedRuns(10, now));
		await page.open();
		played.add('a', { id: 'new', at: now / 1000 + 1, status: 'running' });
		const came = page.waitForMessage('state', ({ state }) => state.count === 11);
		page.send({ type: 'live', on: true });
		assert.equal((await came).state.added, 1);
	});

	it('stops being live if the service fails, and reports it once', async () => {
		const { page, played } = openPanel(createPlayedRuns(10, now));
		await page.open();
		played.failure = new Error('The service is gone.');
		const failed = page.waitForMessage('state', ({ state }) => state.problem !== undefined);
		page.send({ type: 'live', on: true });
		const { state } = await failed;
		assert.deepEqual([state.problem?.text, state.count, state.live], ['The service is gone.', 10, false]);
	});

	it('shows an error in the list, with a remedy', async () => {
		const { page, played } = openPanel(createPlayedRuns(10, now));
		played.failure = Object.assign(new Error("'Played' refused the key (401)."), {
			name: 'Problem',
			remedy: { title: 'Replace key', command: 'agentWorkbench.connection.setKey', arguments: ['c'] },
		});
		const failed = page.waitForMessage('state', ({ state }) => state.problem !== undefined);
		page.send({ type: 'ready' });
		assert.deepEqual((await failed).state.problem, { text: "'Played' refused the key (401).", remedy: 'Replace key' });
		const loaded = page.waitForMessage('state', ({ state }) => state.count === 10 && !state.loading);
		page.send({ type: 'command', command: 'remedy' });
		assert.equal((await loaded).state.problem, undefined);
		assert.deepEqual(executed, [['agentWorkbench.connection.setKey', 'c']]);
	});

	it('uses the commands on runs to inspect, run again and compare', async () => {
		const { page } = openPanel(createPlayedRuns(10, now));
		await page.open();
		const createRunReference = (runId: string) => ({ connectionId: 'c', agentName: 'a', runId });
		page.send({ type: 'act', act: 'inspect', id: 'run-3' });
		page.send({ type: 'act', act: 'runAgain', id: 'run-4' });
		page.send({ type: 'act', act: 'runAgain', id: 'unknown' });
		page.send({ type: 'compare', ids: ['run-1', 'run-2'] });
		page.send({ type: 'compare', ids: ['run-1', 'unknown'] });
		await new Promise(setImmediate);
		assert.deepEqual(executed, [
			['agentWorkbench.run.inspect', createRunReference('run-3')],
			['agentWorkbench.run.runAgain', createRunReference('run-4')],
			['agentWorkbench.run.compare', createRunReference('run-1'), [createRunReference('run-1'), createRunReference('run-2')]],
		]);
		const [, first, both] = executed[2] as [string, object, object[]];
		assert.equal(first, both[0], 'the command knows what it was called on by what is selected');
	});

	it('ignores invalid messages from the page', async () => {
		const { page, played } = openPanel(createPlayedRuns(10, now));
		await page.open();
		const { length } = page.messages;
		for (const hostile of [
			null,
			'ready',
			{ type: 'act', act: 'remove', id: 'run-1' },
			{ type: 'slice', from: -1, to: 5 },
			{ type: 'previews', ids: Array.from({ length: 1000 }, () => 'x') },
			{ type: 'filter', filter: { range: 'ever' } },
			{ type: 'command', command: 'workbench.action.quit' },
		]) {
			page.send(hostile as object);
		}
		await new Promise(setImmediate);
		assert.deepEqual([page.messages.length, executed, played.queries.length], [length, [], 1]);
	});

	it("tells the page that Dify doesn't search errors", async () => {
		const { page } = openPanel(createPlayedRuns(1, now), undefined, 'dify');
		const snapshot = page.waitForMessage('snapshot');
		page.send({ type: 'ready' });
		assert.equal((await snapshot).head.noErrorSearch, true);
	});
});

describe('the saved state of a logs page', () => {
	it("is restored as far as it's valid", () => {
		const filter = { ...firstFilter, range: 'yesterday', text: 'timeout', minSeconds: 3 } as const;
		const sort = { by: 'tokens', descending: false } as const;
		assert.deepEqual(parseKeptLogs({ connectionId: 'c', agent: 'a', filter, sort, live: true }), {
			connectionId: 'c',
			agent: 'a',
			filter,
			sort,
		});
		assert.deepEqual(parseKeptLogs({ connectionId: 'c', filter: { range: 'ever' }, sort: 7 }), {
			connectionId: 'c',
			filter: firstFilter,
			sort: firstSort,
		});
		assert.equal(parseKeptLogs({ key: 'k' }), undefined);
		assert.equal(parseKeptLogs(undefined), undefined);
	});

	it('identifies an agent, a node under one, or a whole connection', () => {
		const agent = { connectionId: 'c', agentName: 'a', parent: { connectionId: 'c' } };
		assert.deepEqual(getLogsTarget(agent), { connectionId: 'c', agent: 'a' });
		assert.deepEqual(getLogsTarget({ id: 'x/logs', parent: agent }), { connectionId: 'c', agent: 'a' });
		assert.deepEqual(getLogsTarget({ id: 'c', connectionId: 'c', parent: undefined }), { connectionId: 'c' });
		assert.equal(getLogsTarget(undefined), undefined);
	});
});
