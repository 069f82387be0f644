import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { PlayedPanel } from '../../support/editor/playedPanel.ts';
import { WindowUnderTest } from '../../support/editor/windowUnderTest.ts';
import { EventWriter, play } from '../../support/services/faultService.ts';

describe('the run inspector', () => {
	let window: WindowUnderTest;
	let page: PlayedPanel;

	beforeEach(async () => {
		window = new WindowUnderTest();
		page = new PlayedPanel();
		await window.start();
	});
	afterEach(() => window.dispose());

	const setRunStream = (write: (events: EventWriter) => Promise<void>) => {
		window.service.behaviour.run = response => write(new EventWriter(response));
	};
	const fillPanel = async () => (await window.runs.inspectors()).fillPanel(page.panel, { key: window.latest.key, kept: false });

	it('opens as one editor per run', async () => {
		setRunStream(async events => {
			await events.sendEvents(play.started, play.nodeStarted(1), play.nodeFinished(1), play.finished('succeeded'));
			events.endStream();
		});
		await window.runFile();
		const findInspectorTabs = () =>
			vscode.window.tabGroups.all
				.flatMap(group => group.tabs)
				.filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('agentWorkbench.inspector'));
		await window.executeCommand('agentWorkbench.run.inspect', undefined);
		await window.executeCommand('agentWorkbench.run.inspect', window.latest.key);
		while (findInspectorTabs().length === 0) {
			await new Promise<void>(resolve => {
				const listener = vscode.window.tabGroups.onDidChangeTabs(() => {
					listener.dispose();
					resolve();
				});
			});
		}
		assert.equal(findInspectorTabs().length, 1);
		await vscode.window.tabGroups.close(findInspectorTabs());
	});

	it('shows a finished run, its outputs and node details', async () => {
		setRunStream(async events => {
			await events.sendEvents(
				play.started,
				play.nodeStarted(1),
				play.nodeFinished(1, { outputs: { x: 5 } }),
				play.finished('succeeded', { text: 'done' }),
			);
			events.endStream();
		});
		await window.runFile();
		await fillPanel();
		assert.match(page.webview.html, /default-src 'none'/);
		assert.deepEqual(page.messages, []);
		const outputs = page.waitForMessage('outputs');
		const { head, rows } = await page.requestSnapshot();
		assert.deepEqual([head.status, head.live, head.steps, head.elapsedMs], ['succeeded', false, 3, 1250]);
		assert.deepEqual(
			rows.map(({ id, status, critical }) => [id, status, critical]),
			[['e1', 'succeeded', true]],
		);
		assert.deepEqual((await outputs).outputs, [{ name: 'text', text: 'done', isText: true, cut: false }]);
		const detail = page.waitForMessage('detail');
		page.sendFromPage({ type: 'detail', id: 'e1' });
		const { outputs: out, raw } = (await detail).detail;
		assert.deepEqual(JSON.parse(out ?? ''), { x: 5 });
		assert.deepEqual(
			(JSON.parse(raw ?? '') as { event: string }[]).map(({ event }) => event),
			['node_started', 'node_finished'],
		);
	});

	it('follows an active run with numbered changes, each event once', async () => {
		let go: () => void = () => undefined;
		const wait = new Promise<void>(resolve => {
			go = resolve;
		});
		setRunStream(async events => {
			await events.sendEvents(play.started, play.nodeStarted(1));
			await wait;
			await events.sendEvents(play.nodeFinished(1), play.nodeStarted(2), { event: 'text_chunk', ...play.ids, data: { text: 'Hel' } });
			await events.sendEvents({ event: 'text_chunk', ...play.ids, data: { text: 'lo' } }, play.nodeFinished(2), play.finished('succeeded'));
			events.endStream();
		});
		const run = window.runFile();
		await window.waitForRun(({ node }) => node !== undefined);
		await fillPanel();
		const { rows, head, seq } = await page.requestSnapshot();
		assert.deepEqual([head.live, rows.map(({ id, status }) => [id, status])], [true, [['e1', 'running']]]);
		const last = page.waitForMessage('changes', message => !message.head.live);
		go();
		await run;
		await last;
		const changes = page.messages.filter(message => message.type === 'changes');
		assert.deepEqual(
			changes.map(change => change.seq),
			changes.map((_, place) => seq + 1 + place),
		);
		const known = new Map(changes.flatMap(change => change.rows).map(row => [row.id, row.status]));
		assert.deepEqual(Object.fromEntries(known), { e1: 'succeeded', e2: 'succeeded' });
		// events that were already sent aren't sent again
		assert.equal(changes.map(({ textAdded }) => textAdded ?? '').join(''), 'Hello');
	});

	it('sends a busy editor no change before it has received the last one', async () => {
		const wait = Promise.withResolvers<void>();
		setRunStream(async events => {
			await events.sendEvents(play.started, play.nodeStarted(1));
			await wait.promise;
			for (let node = 1; node <= 20; node++) {
				await events.sendEvents(play.nodeFinished(node), play.nodeStarted(node + 1));
				await new Promise(resolve => setTimeout(resolve, 20));
			}
			await events.sendEvents(play.nodeFinished(21), play.finished('succeeded'));
			events.endStream();
		});
		const run = window.runFile();
		await window.waitForRun(({ node }) => node !== undefined);
		await fillPanel();
		await page.requestSnapshot();
		const freed = Promise.withResolvers<void>();
		page.busy = freed.promise;
		const first = page.waitForMessage('changes');
		wait.resolve();
		await first;
		await run;
		const getChangeMessages = () => page.messages.filter(message => message.type === 'changes');
		assert.equal(getChangeMessages().length, 1);
		const last = page.waitForMessage('changes', message => !message.head.live);
		page.busy = undefined;
		freed.resolve();
		await last;
		assert.equal(getChangeMessages().length, 2);
		const known = new Map(
			getChangeMessages()
				.flatMap(change => change.rows)
				.map(row => [row.id, row.status]),
		);
		assert.equal([...known.values()].filter(status => status === 'succeeded').length, 21);
	});

	it('shows which parts of an interrupted run are unknown', async () => {
		setRunStream(async events => {
			await events.sendEvents(play.started, play.nodeStarted(1));
			await window.waitForRun(({ node }) => node !== undefined);
			events.breakConnection();
		});
		await window.runFile();
		await fillPanel();
		const { head, rows } = await page.requestSnapshot();
		assert.equal(head.status, 'lost');
		assert.equal(rows[0]?.status, 'unfinished');
		assert.ok(rows.some(({ kind, title }) => kind === 'note' && title.startsWith('The stream ended before the run did')));
	});

	it('sends nothing while hidden, and ignores invalid messages', async () => {
		setRunStream(async events => {
			await events.sendEvents(play.started, play.finished('succeeded'));
			events.endStream();
		});
		await window.runFile();
		await fillPanel();
		await page.requestSnapshot();
		const sent = page.messages.length;
		page.sendFromPage({ type: 'command', command: 'clearHistory' });
		page.sendFromPage({ type: 'copy' });
		page.hidePanel();
		window.records.updateRun(window.latest.key, { error: 'late' });
		await new Promise(resolve => setTimeout(resolve, 250));
		assert.ok(page.messages.slice(sent).every(({ type }) => type === 'outputs'));
	});

	it('shows that its run has been removed from the history', async () => {
		(await window.runs.inspectors()).fillPanel(page.panel, { key: 'no such run', kept: false });
		const gone = page.waitForMessage('gone');
		page.sendFromPage({ type: 'ready' });
		assert.equal((await gone).title, 'This run is no longer in the history.');
	});

	it('sends all rows of 10,000 node events', async () => {
		setRunStream(async events => {
			await events.sendEvents(play.started);
			for (let node = 1; node <= 5000; node++) {
				await events.sendEvents(play.nodeStarted(node), play.nodeFinished(node));
			}
			await events.sendEvents(play.finished('succeeded'));
			events.endStream();
		});
		await window.runFile();
		await fillPanel();
		const { rows } = await page.requestSnapshot();
		assert.equal(rows.length, 5000);
	});

	it("shows the agent file's graph, or the reason why there is none", async () => {
		setRunStream(async events => {
			await events.sendEvents(play.started, play.nodeStarted(1), play.nodeFinished(1), play.finished('succeeded'));
			events.endStream();
		});
		await window.runFile();
		await fillPanel();
		const without = page.waitForMessage('graph');
		await page.requestSnapshot();
		const { why } = await without;
		assert.match(why ?? '', /^No graph available\. No agent file 'played\.yml' in /);

		const nodes = '{id: a, data: {type: start, title: A}}, {id: b, data: {type: end, title: B}}';
		const text = `app: {name: played, mode: workflow}\nworkflow: {graph: {nodes: [${nodes}], edges: [{source: a, target: b}]}}\n`;
		fs.mkdirSync(path.join(window.folder, 'agents'));
		fs.writeFileSync(path.join(window.folder, 'agents', 'played.yml'), text);
		const whole = page.waitForMessage('graph', ({ graph }) => graph !== undefined);
		page.sendFromPage({ type: 'graph' });
		const { file, graph } = await whole;
		assert.match(file ?? '', /agents\/played\.yml$/);
		assert.deepEqual(
			graph?.nodes.map(({ id, title }) => [id, title]),
			[
				['a', 'A'],
				['b', 'B'],
			],
		);

		fs.writeFileSync(path.join(window.folder, 'agents', 'played.yml'), 'workflow: [');
		const broken = page.waitForMessage('graph');
		page.sendFromPage({ type: 'graph' });
		assert.match((await broken).why ?? '', /^No graph available\. Couldn't read '.*played\.yml': .*line \d/);
	});
});
