import assert from 'node:assert/strict';
import path from 'node:path';
import type { WorkflowEvent } from '#contract/events.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import { EventJournals } from '#runs/history/eventJournals.ts';
import { DraftsUnderTest } from '../../../support/editor/draftsUnderTest.ts';
import { createManagedRun, createNodeResult } from '../../../support/editor/playedManagement.ts';

const ids = { task_id: 'task-1', workflow_run_id: 'run-1' };
const started: WorkflowEvent = { event: 'workflow_started', ...ids, data: { id: 'run-1', workflow_id: 'w', inputs: {}, created_at: 1 } };
const createNodeStarted = (id: string): WorkflowEvent => ({ event: 'node_started', ...ids, data: createNodeResult(id) });
const createNodeFinished = (id: string): WorkflowEvent => ({ event: 'node_finished', ...ids, data: createNodeResult(id) });
const createRunFinished = (status = 'succeeded'): WorkflowEvent => ({
	event: 'workflow_finished',
	...ids,
	data: {
		id: 'run-1',
		workflow_id: 'w',
		status,
		outputs: { text: 'done' },
		error: null,
		elapsed_time: 1,
		total_tokens: 7,
		total_steps: 2,
		created_at: 1,
		finished_at: 2,
	},
});
const allEvents = [
	started,
	createNodeStarted('start'),
	createNodeFinished('start'),
	createNodeStarted('write'),
	createNodeFinished('write'),
	createRunFinished(),
];

describe('the run of a Dify draft', () => {
	let drafts: DraftsUnderTest;

	beforeEach(async () => {
		drafts = new DraftsUnderTest();
		await drafts.window.start();
		drafts.there.stream = () => iterateEvents(...allEvents);
	});
	afterEach(() => drafts.dispose());

	const listCalls = (name: string) => drafts.there.calls.filter(call => call[0] === name);
	const readSavedEntries = async (key: string) => {
		const journals = new EventJournals(path.join(drafts.window.folder, 'runs'), assert.ifError);
		const entries: JournalEntry[] = [];
		for await (const entry of journals.readEntries(key)) {
			entries.push(entry);
		}
		journals.dispose();
		return entries;
	};

	it('is saved as a draft of its app, and appears in the channel with its nodes', async () => {
		const record = await drafts.runDraft();
		assert.equal(record.status, 'succeeded');
		assert.deepEqual(record.deploymentDraft, { app: 'app-1', mode: 'workflow' });
		assert.deepEqual(listCalls('streamDraft'), [['streamDraft', 'app-1', { inputs: { topic: 'tea' } }]]);
		assert.match(drafts.window.channel.text, /Tea \(draft\) {2}run run-1[\s\S]*Our Dify[\s\S]*■ succeeded/);
		const events = (await readSavedEntries(record.key)).flatMap(entry => ('event' in entry ? [entry.event.event] : []));
		assert.deepEqual(
			events,
			allEvents.map(({ event }) => event),
		);
	});

	it('can be run again as a draft with the same inputs', async () => {
		const record = await drafts.runDraft({ topic: 'milk' });
		const again = (await drafts.window.executeCommand('agentWorkbench.run.runAgain', record.key)) as typeof record;
		assert.deepEqual([again.deploymentDraft, again.repeats], [record.deploymentDraft, record.key]);
		assert.deepEqual(
			listCalls('streamDraft').map(call => call[2]),
			[{ inputs: { topic: 'milk' } }, { inputs: { topic: 'milk' } }],
		);
		await assert.rejects(Promise.resolve(drafts.window.executeCommand('agentWorkbench.run.copyAsCurl', record.key)), /as cURL/);
	});

	it('sends the query of a chatflow, and shows the answer as streamed text', async () => {
		drafts.there.chat = () =>
			iterateEvents(
				started,
				{ event: 'message', task_id: 'task-1', message_id: 'm', conversation_id: 'c', answer: 'Hel', created_at: 1 },
				{ event: 'message', task_id: 'task-1', message_id: 'm', conversation_id: 'c', answer: 'lo', created_at: 1 },
				createRunFinished(),
				{ event: 'message_end', task_id: 'task-1', message_id: 'm', conversation_id: 'c', metadata: {} },
			);
		const record = await drafts.runDraft({ 'sys.query': 'Who?', topic: 'tea' }, { mode: 'advanced-chat' });
		assert.deepEqual(listCalls('streamDraftChat')[0]?.[2], { query: 'Who?', inputs: { topic: 'tea' } });
		const events = (await readSavedEntries(record.key)).flatMap(entry => ('event' in entry ? [entry.event] : []));
		assert.deepEqual(
			events.map(({ event }) => event),
			['workflow_started', 'text_chunk', 'text_chunk', 'workflow_finished', 'message_end'],
		);
		assert.match(drafts.window.channel.text, /❯ Hello/);
		assert.equal(record.status, 'succeeded');
	});

	it('can be limited to one node, and has the status and error of that node', async () => {
		drafts.there.node = async () => createNodeResult('write', { status: 'failed', error: 'no tea', outputs: null });
		const record = await drafts.runDraft({ '#start.topic#': 'tea', 'sys.query': 'Who?' }, { mode: 'advanced-chat', node: 'write' });
		assert.deepEqual(listCalls('runNode')[0]?.slice(1), [
			'app-1',
			'write',
			{ mode: 'advanced-chat', inputs: { '#start.topic#': 'tea' }, query: 'Who?' },
		]);
		assert.deepEqual([record.status, record.error, record.runId], ['failed', 'no tea', undefined]);
	});

	it('is not mixed up with a concurrent one', async () => {
		const gates = [createGate(), createGate()];
		let count = 0;
		drafts.there.stream = () => {
			const at = count++;
			return (async function* () {
				const own = { task_id: `task-${at}`, workflow_run_id: `run-${at}` };
				yield { ...started, ...own } as WorkflowEvent;
				await gates[at]?.opened;
				yield { ...createRunFinished(at === 0 ? 'failed' : 'succeeded'), ...own } as WorkflowEvent;
			})();
		};
		const runs = [drafts.runDraft({ topic: 'a' }), drafts.runDraft({ topic: 'b' })];
		gates[1]?.open();
		const second = await runs[1];
		gates[0]?.open();
		const first = await runs[0];
		assert.deepEqual([first?.status, second?.status], ['failed', 'succeeded']);
		assert.deepEqual(new Set([first?.runId, second?.runId]), new Set(['run-0', 'run-1']));
	});

	it('is stopped by its task ID, even before its first event, and ends when the server confirms it', async () => {
		const first = createGate();
		const ended = createGate();
		let status = 'running';
		drafts.there.stream = () =>
			(async function* () {
				await first.opened;
				yield started;
				await ended.opened;
				yield createRunFinished('stopped');
			})();
		drafts.there.detail = async () => createManagedRun({ status });
		drafts.there.stop = async () => {
			status = 'stopped';
			ended.open();
		};
		const run = drafts.runDraft();
		await drafts.window.waitForRun(({ status: at }) => at === 'starting');
		await drafts.window.stop();
		assert.deepEqual(listCalls('stopDraft'), []);
		first.open();
		assert.equal((await run).status, 'stopped');
		assert.deepEqual(listCalls('stopDraft'), [['stopDraft', 'app-1', 'task-1']]);
	});

	it('is completed from its trace if the stream breaks, with each node once in any order', async () => {
		drafts.there.stream = () =>
			(async function* () {
				yield* [started, createNodeStarted('start'), createNodeFinished('start'), createNodeStarted('write')];
				throw Object.assign(new Error('The connection broke.'), { reason: 'network' });
			})();
		drafts.there.detail = async () => createManagedRun();
		drafts.there.nodes = async () => [
			createNodeResult('write', { index: 2 }),
			createNodeResult('late', { index: 3 }),
			createNodeResult('start', { index: 1 }),
		];
		const record = await drafts.runDraft();
		assert.deepEqual([record.status, record.totalTokens], ['succeeded', 7]);
		const events = (await readSavedEntries(record.key)).flatMap(entry => ('event' in entry ? [entry.event] : []));
		assert.deepEqual(events.map(formatEvent), [
			'workflow_started run-1',
			'node_started x-start',
			'node_finished x-start',
			'node_started x-write',
			'node_finished x-write',
			'node_started x-late',
			'node_finished x-late',
			'workflow_finished run-1',
		]);
	});

	it('is looked up when the editor starts again', async () => {
		const never = createGate();
		drafts.there.stream = () =>
			(async function* () {
				yield* [started, createNodeStarted('start'), createNodeFinished('start')];
				await never.opened;
			})();
		void drafts.runDraft();
		await drafts.window.waitForRun(({ events }) => events === 2);
		drafts.there.detail = async () => createManagedRun({ status: 'failed', error: 'no tea' });
		drafts.there.nodes = async () => [
			createNodeResult('start'),
			createNodeResult('write', { status: 'failed', error: 'no tea', index: 2 }),
		];
		drafts.reopenWindow();
		const record = await drafts.window.waitForRun(({ status }) => status === 'failed');
		assert.deepEqual([record.error, record.deploymentDraft?.app], ['no tea', 'app-1']);
		never.open();
	});

	it('is lost with a message if the sign-in expires, and looked up after the next sign-in', async () => {
		drafts.there.stream = () =>
			(async function* () {
				yield started;
				drafts.standing = { kind: 'expired', account: undefined };
				throw Object.assign(new Error('The connection broke.'), { reason: 'network' });
			})();
		const record = await drafts.runDraft();
		assert.deepEqual([record.status, record.error], ['lost', 'The sign-in has expired: sign in again']);
		drafts.there.detail = async () => createManagedRun();
		drafts.setSignInState({ kind: 'signed-in', account: undefined, workspaceId: 'w', workspace: undefined });
		await drafts.window.waitForRun(({ status }) => status === 'succeeded');
	});

	it("reports why it couldn't start: a missing sign-in or an unreachable server", async () => {
		drafts.standing = { kind: 'signed-out' };
		assert.deepEqual((await drafts.runDraft()).error, 'The sign-in has expired: sign in again');
		drafts.standing = { kind: 'signed-in', account: undefined, workspaceId: 'w', workspace: undefined };
		drafts.there.stream = () =>
			// biome-ignore lint/correctness/useYield: an unreachable server
			(async function* () {
				throw Object.assign(new Error('Nobody answers at https://dify.test.'), {
					name: 'ServiceError',
					reason: 'network',
					code: 'ECONNREFUSED',
				});
			})();
		assert.deepEqual((await drafts.runDraft()).status, 'failed');
	});

	it('keeps all of 20,000 events with hostile titles', async () => {
		const title = '\u001b[31m</script>{{x}}\n[a](command:x) \u202e';
		drafts.there.stream = () =>
			(async function* () {
				yield started;
				for (let at = 0; at < 10_000; at++) {
					const data = createNodeResult('write', { id: `x-${at}`, title, index: at });
					yield { event: 'node_started', ...ids, data };
					yield { event: 'node_finished', ...ids, data };
				}
				yield createRunFinished();
			})();
		const record = await drafts.runDraft();
		assert.deepEqual([record.status, record.events], ['succeeded', 20_002]);
		// a title can't start a new line
		assert.equal(
			drafts.window.channel.text.split('\n').some(line => line.startsWith('[a](')),
			false,
		);
	}).timeout(60_000);
});

function formatEvent(event: WorkflowEvent): string {
	return `${event.event} ${(('data' in event ? event.data : {}) as { id?: string }).id}`;
}

async function* iterateEvents<T>(...events: readonly unknown[]): AsyncGenerator<T> {
	yield* events as readonly T[];
}

function createGate(): { readonly opened: Promise<void>; open(): void } {
	let open = () => {};
	const opened = new Promise<void>(resolve => {
		open = resolve;
	});
	return { opened, open: () => open() };
}
