import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ConnectionsUnderTest } from '../../../../support/editor/connectionsUnderTest.ts';
import { TreeUnderTest } from '../../../../support/editor/treeUnderTest.ts';
import { type Fault, PlayedService } from '../../../../support/services/playedService.ts';

describe('the tree with a failing service', () => {
	let window: ConnectionsUnderTest;
	let service: PlayedService;
	let tree: TreeUnderTest;
	beforeEach(async () => {
		window = new ConnectionsUnderTest();
		service = new PlayedService();
		await service.start();
		tree = new TreeUnderTest(window);
	});
	afterEach(async () => {
		tree.dispose();
		await window.dispose();
		await service.stop();
	});

	const faults: [name: string, fault: Fault, message: RegExp, action: string][] = [
		['401', { status: 401, code: 'unauthorized' }, /^'Played' refused the key \(401\)\.$/, 'Replace key'],
		['403', { status: 403, code: 'forbidden' }, /^'Played' doesn't allow this with the current key \(403\)\.$/, 'Replace key'],
		['429', { status: 429, code: 'rate_limit_error' }, /^The service responded with status 429 .*Try again later\.$/, 'Try again'],
		['500', { status: 500, code: 'internal_server_error' }, /^The service responded with status 500 .*the service's log/, 'Try again'],
		['an HTML page', 'html', /^.*Check the base URL and the kind of service\.$/, 'Edit connection'],
		['silence', 'silence', /^.*UND_ERR_HEADERS_TIMEOUT/, 'Try again'],
		['a broken connection', 'cut', /^.*Check the base URL, the proxy settings/, 'Edit connection'],
	];
	for (const [name, fault, message, action] of faults) {
		it(`shows a node with the error and a remedy for ${name}, and recovers`, async () => {
			await window.addConnection({ baseUrl: service.url }, 'key');
			service.fault = fault;
			const [problem, ...more] = await tree.readRows('Played');
			assert.deepEqual(more, []);
			assert.equal(problem?.context, 'problem');
			assert.match(problem?.label ?? '', message);
			assert.equal(problem?.description, action);
			assert.equal((await tree.findRow('Played')).description, action === 'Replace key' ? 'key rejected' : 'unreachable');
			assert.deepEqual(
				(await tree.readRows()).map(({ label }) => label),
				['Built-in gateway', 'Played'],
			);
			service.fault = undefined;
			window.registry.reloadLists('played');
			assert.deepEqual(
				(await tree.readRows('Played')).map(({ label }) => label),
				['echo'],
			);
		});
	}

	it("doesn't call a service without a key unreachable", async () => {
		await window.addConnection({ baseUrl: service.url });
		await tree.readRows('Played');
		assert.equal((await tree.findRow('Played')).description, 'key missing');
	});

	it("says where draft runs are if the service doesn't log them", async () => {
		await window.addConnection({ baseUrl: service.url }, 'key');
		service.runs = 0;
		tree.runs.set({ key: 'd', connectionId: 'played', agent: 'echo', draft: true });
		const [empty] = await tree.readRows('Played', 'echo', 'Logs');
		assert.equal(empty?.label, 'No runs logged yet');
		assert.equal(
			empty?.node.createTreeItem().tooltip,
			"The service hasn't logged any runs of this agent. Draft runs aren't logged. You can find them under Runs.",
		);
	});

	it('shows the agents from the settings if the service lists none', async () => {
		service.agents = undefined;
		await window.addConnection({ baseUrl: service.url, agents: ['mine'] }, 'key');
		assert.deepEqual(
			(await tree.readRows('Played')).map(({ label }) => label),
			['mine'],
		);
	});

	it('shows an agent once that the service lists twice, because a tree with two nodes of one ID shows none', async () => {
		service.agents = ['echo', 'other', 'echo'];
		await window.addConnection({ baseUrl: service.url }, 'key');
		assert.deepEqual(
			(await tree.readRows('Played')).map(({ label }) => label),
			['echo', 'other'],
		);
	});

	it('offers to add agents if neither the service nor the settings list any', async () => {
		service.agents = undefined;
		await window.addConnection({ baseUrl: service.url }, 'key');
		const [message, ...more] = await tree.readRows('Played');
		assert.deepEqual(more, []);
		assert.deepEqual([message?.label, message?.description, message?.context], ['This service lists no agents', 'Add agents…', 'message']);
		assert.deepEqual(
			[message?.item.command?.command, message?.item.command?.arguments],
			['agentWorkbench.connection.addAgents', ['played']],
		);
	});

	it('offers the chat for a service that only has models', async () => {
		await window.addConnection({ baseUrl: service.url, kind: 'anthropic' }, 'key');
		const [message, ...more] = await tree.readRows('Played');
		assert.deepEqual(more, []);
		assert.deepEqual([message?.label, message?.description, message?.context], ['Models only, no agents', 'Open chat', 'message']);
	});

	it('lists the models of an OpenAI-compatible service, or the reason why there are none', async () => {
		service.models = [
			{ id: 'gpt', object: 'model' },
			{ id: 'org/other', object: 'model' },
		];
		await window.addConnection({ baseUrl: service.url, kind: 'openai' });
		const listLabels = async () => (await tree.readRows('Played')).map(({ label, context }) => [label, context]);
		assert.deepEqual(await listLabels(), [
			['Models only, no agents', 'message'],
			['gpt', 'model'],
			['org/other', 'model'],
		]);
		service.models = [];
		service.fault = { status: 401, code: 'unauthorized' };
		window.registry.reloadLists('played');
		assert.deepEqual(
			(await listLabels()).map(([, context]) => context),
			['problem'],
		);
	});

	for (const list of ['Logs', 'Conversations']) {
		it(`shows the error and a remedy if the ${list.toLowerCase()} of an agent aren't found (404)`, async () => {
			await window.addConnection({ baseUrl: service.url }, 'key');
			await tree.readRows('Played', 'echo');
			service.fault = { status: 404, code: 'not_found' };
			const [problem, ...more] = await tree.readRows('Played', 'echo', list);
			assert.deepEqual(more, []);
			assert.deepEqual([problem?.context, problem?.description], ['problem', 'Try again']);
			assert.match(problem?.label ?? '', /404|not found|does not have/i);
			assert.equal(problem?.item.command?.command, 'agentWorkbench.tree.loadMore');
			service.fault = undefined;
			await loadNextPage((await tree.findRow('Played', 'echo', list)).node);
			assert.notEqual((await tree.readRows('Played', 'echo', list))[0]?.context, 'problem');
		});
	}

	it('says that there is nothing yet for an agent without children', async () => {
		service.runs = 0;
		service.conversations = [];
		await window.addConnection({ baseUrl: service.url }, 'key');
		const getFirst = async (list: string) => {
			const [row, ...more] = await tree.readRows('Played', 'echo', list);
			assert.deepEqual([more, row?.context], [[], 'message']);
			return [row?.label, row?.description];
		};
		assert.deepEqual(await getFirst('Run files'), ['No run files yet', 'New run file']);
		assert.deepEqual(await getFirst('Runs'), ['No runs yet. Open a run file and select Run.', '']);
		assert.deepEqual(await getFirst('Logs'), ['No runs logged yet', '']);
		assert.deepEqual(await getFirst('Conversations'), ['No conversations yet', '']);
	});

	it("escapes the service's text in Markdown tooltips", async () => {
		await window.addConnection({ baseUrl: service.url, name: 'Pl*yed' }, 'key');
		service.conversations = [{ id: 'c`1', name: '[talk](command:x)' }];
		const getTooltip = async (...labels: string[]) => {
			const { item, node } = labels.length === 3 ? (await tree.readRows(...labels))[0]! : await tree.findRow(...labels);
			const { tooltip: shown } = tree.tree.resolveTreeItem(item, node);
			assert.ok(shown instanceof vscode.MarkdownString && !shown.isTrusted, labels.join(' › '));
			return shown.value;
		};
		assert.match(await getTooltip('Pl*yed'), /^\*\*Pl\\\*yed\*\*/);
		assert.match(await getTooltip('Pl*yed', 'echo'), /^\*\*echo\*\* · chatflow/);
		assert.match(await getTooltip('Pl*yed', 'echo', 'Logs'), /Run ID: `run-0`/);
		assert.match(await getTooltip('Pl*yed', 'echo', 'Conversations'), /^\*\*\\\[talk\\\][\s\S]*ID: `c1`$/);
	});

	it('reports a refused connection', async () => {
		await window.addConnection({ baseUrl: 'http://127.0.0.1:9' }, 'key');
		const [problem] = await tree.readRows('Played');
		assert.match(problem?.label ?? '', /127\.0\.0\.1:9, ECONNREFUSED/);
	});

	it('reports a TLS error', async () => {
		await window.addConnection({ baseUrl: service.url.replace('http:', 'https:') }, 'key');
		const [problem] = await tree.readRows('Played');
		assert.match(problem?.label ?? '', /^The service doesn't support TLS at this address .*certificates of this machine\.$/);
		assert.equal(problem?.description, 'Edit connection');
	});

	it('offers to set a missing key without sending a request', async () => {
		await window.addConnection({ baseUrl: service.url });
		const [problem] = await tree.readRows('Played');
		assert.deepEqual([problem?.label, problem?.description], ["The key for 'Played' is missing.", 'Set key']);
		assert.deepEqual(problem?.item.command?.arguments, ['played']);
		assert.deepEqual(service.requests, []);
	});

	it("doesn't repeat a failed request automatically", async () => {
		await window.addConnection({ baseUrl: service.url }, 'key');
		service.fault = { status: 403, code: 'forbidden' };
		await tree.readRows('Played');
		const sent = service.requests.length;
		await tree.readRows('Played');
		await tree.readRows('Played');
		assert.equal(service.requests.length, sent);
	});

	it('keeps loaded log entries when the next page fails, and can retry', async () => {
		service.runs = 120;
		await window.addConnection({ baseUrl: service.url }, 'key');
		const logs = await tree.findRow('Played', 'echo', 'Logs');
		await tree.readRows('Played', 'echo', 'Logs');
		service.fault = { status: 403, code: 'forbidden' };
		await loadNextPage(logs.node);
		const rows = await tree.readRows('Played', 'echo', 'Logs');
		assert.equal(rows.length, 51);
		assert.equal(rows.at(-1)?.context, 'problem');
		service.fault = undefined;
		await loadNextPage(logs.node);
		assert.equal((await tree.readRows('Played', 'echo', 'Logs')).filter(({ context }) => context === 'log').length, 100);
	});

	it('pages through a log, filters it, and reports when nothing matches', async () => {
		service.runs = 120;
		await window.addConnection({ baseUrl: service.url }, 'key');
		const logs = await tree.findRow('Played', 'echo', 'Logs');
		assert.deepEqual(countContexts(await tree.readRows('Played', 'echo', 'Logs')), { log: 50, loadMore: 1 });
		assert.equal((await tree.findRow('Played', 'echo', 'Logs')).description, '120');
		await loadNextPage(logs.node);
		await loadNextPage(logs.node);
		assert.deepEqual(countContexts(await tree.readRows('Played', 'echo', 'Logs')), { log: 120 });
		getLog(logs.node).setFilter({ status: 'failed', keyword: 'nothing' });
		const [empty] = await tree.readRows('Played', 'echo', 'Logs');
		assert.deepEqual([empty?.label, empty?.description], ['No matching runs', 'Clear filter']);
		assert.equal((await tree.findRow('Played', 'echo', 'Logs')).description, "failed · 'nothing' · 0");
		getLog(logs.node).setFilter({ status: 'failed' });
		const [failed] = await tree.readRows('Played', 'echo', 'Logs');
		assert.match(failed?.description ?? '', /^code: it broke · 0\.4 s · 7 tokens$/);
		assert.ok(service.requests.includes('GET /v1/agent/workflows/logs?model=echo&status=failed&page=1&limit=50'));
	});

	it('drops rows while paging', async () => {
		service.runs = 2_000;
		await window.addConnection({ baseUrl: service.url }, 'key');
		const logs = await tree.findRow('Played', 'echo', 'Logs');
		await tree.readRows('Played', 'echo', 'Logs');
		for (let page = 1; page < 40; page++) {
			await loadNextPage(logs.node);
		}
		const rows = await tree.readRows('Played', 'echo', 'Logs');
		assert.deepEqual(countContexts(rows), { backToTop: 1, log: 500 });
		assert.equal(rows[0]?.description, '1,500 earlier');
		assert.match(rows.at(-1)?.item.id ?? '', /log-1999$/);
		(logs.node as unknown as { rows: { dropRows(): void } }).rows.dropRows();
		assert.deepEqual(countContexts(await tree.readRows('Played', 'echo', 'Logs')), { log: 50, loadMore: 1 });
	});

	it('adds new entries at the top', async () => {
		service.runs = 2;
		await window.addConnection({ baseUrl: service.url }, 'key');
		const logs = await tree.findRow('Played', 'echo', 'Logs');
		assert.equal((await tree.readRows('Played', 'echo', 'Logs')).length, 2);
		service.runs = 3;
		await getLog(logs.node).pages.refreshFirstPage();
		assert.equal((await tree.readRows('Played', 'echo', 'Logs')).length, 3);
	});

	it('shows conversations in the chosen order', async () => {
		await window.addConnection({ baseUrl: service.url, user: 'ana' }, 'key');
		const [talk] = await tree.readRows('Played', 'echo', 'Conversations');
		assert.deepEqual([talk?.label, talk?.context], ['First talk', 'conversation']);
		assert.ok(service.requests.includes('GET /v1/agent/conversations?model=echo&user=ana&limit=50&sort_by=-updated_at'));
		service.conversations = [];
		const conversations = await tree.findRow('Played', 'echo', 'Conversations');
		(conversations.node as unknown as { list: { setSort(sort: string): void } }).list.setSort('created_at');
		assert.equal((await tree.readRows('Played', 'echo', 'Conversations'))[0]?.label, 'No conversations yet');
		assert.equal((await tree.findRow('Played', 'echo', 'Conversations')).description, 'oldest first');
	});

	it('gives every node with a meaningful icon an accessible label', async () => {
		await window.addConnection({ baseUrl: service.url }, 'key');
		const rows = [...(await tree.readRows('Played', 'echo', 'Logs')), ...(await tree.readRows('Played', 'echo', 'Conversations'))];
		assert.ok(rows.every(({ item }) => (item.accessibilityInformation?.label ?? '') !== ''));
		assert.match(rows[0]?.item.accessibilityInformation?.label ?? '', /succeeded/);
		assert.ok(rows[0]?.item.iconPath instanceof vscode.ThemeIcon);
	});
});

const loadNextPage = (node: unknown) => (node as { rows: { loadNextPage(): Promise<unknown> } }).rows.loadNextPage();
const getLog = (node: unknown) => (node as { log: import('#editor/explorer/lists/runLog.ts').RunLog }).log;

function countContexts(rows: readonly { context: string }[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { context } of rows) {
		counts[context] = (counts[context] ?? 0) + 1;
	}
	return counts;
}
