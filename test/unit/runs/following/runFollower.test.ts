import assert from 'node:assert/strict';
import type { WorkflowEvent } from '#contract/events.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import { RunFollower } from '#runs/following/runFollower.ts';
import type { RunClient } from '#runs/following/runFollowerParts.ts';
import { RunForms } from '#runs/forms/runForms.ts';
import type { RunRecord } from '#runs/runTypes.ts';

const request: WorkflowRunRequest = { model: 'summarize', inputs: {}, response_mode: 'streaming', user: 'ana' };
const ids = { task_id: 'task-1', workflow_run_id: 'run-1' };
const started: WorkflowEvent = { event: 'workflow_started', ...ids, data: { id: 'run-1', workflow_id: 'w', created_at: 1 } };
const result = {
	id: 'run-1',
	workflow_id: 'w',
	error: null,
	elapsed_time: 1.5,
	total_tokens: 3,
	total_steps: '2',
	created_at: 1,
	finished_at: 2,
};
const createRunFinished = (status: string): WorkflowEvent => ({
	event: 'workflow_finished',
	...ids,
	data: { ...result, status, outputs: { text: 'hi' } },
});

/** A run on a fake service, and everything that was reported about it. */
class Play {
	readonly calls: string[] = [];
	readonly entries: JournalEntry[] = [];
	readonly changes: Partial<RunRecord>[] = [];
	/** True for each requested client if the user could be asked for a key. */
	readonly asks: boolean[] = [];
	readonly run: RunFollower;
	keyIsMissing = false;
	#record: Partial<RunRecord> = {};

	constructor(service: Partial<Record<keyof RunClient, (...args: never[]) => unknown>>) {
		const logged = Object.fromEntries(
			Object.entries(service).map(([name, call]) => [
				name,
				(...args: never[]) => {
					this.calls.push([name, ...args.filter(arg => typeof arg === 'string')].join(' '));
					return call(...args);
				},
			]),
		);
		this.run = new RunFollower({
			connect: async ({ ask }) => {
				this.asks.push(ask);
				if (!ask && this.keyIsMissing) {
					throw Object.assign(new Error('The key is missing.'), { reason: 'key-missing' });
				}
				return logged as unknown as RunClient;
			},
			observer: {
				onEntry: entry => this.entries.push(entry),
				changeRecord: patch => {
					this.changes.push(patch);
					Object.assign(this.#record, patch);
				},
			},
			wait: () => new Promise(resolve => setImmediate(resolve)),
		});
	}

	get record(): Partial<RunRecord> {
		return this.#record;
	}
	get notes(): string[] {
		return this.entries.flatMap(entry => ('note' in entry ? [entry.note] : []));
	}
	get events(): string[] {
		return this.entries.flatMap(entry => ('event' in entry ? [entry.event.event] : []));
	}
}

/** A stream whose events are pushed by the test. */
class Tap {
	#queue: (WorkflowEvent | Error | undefined)[] = [];
	#wake = () => {};
	/** Pushes events; an error breaks the stream, undefined ends it. */
	push(...items: (WorkflowEvent | Error | undefined)[]): void {
		this.#queue.push(...items);
		this.#wake();
	}
	async *stream(_request: unknown, { signal }: { signal: AbortSignal }): AsyncGenerator<WorkflowEvent> {
		signal.addEventListener('abort', () => this.push(new Error('aborted')));
		for (;;) {
			while (this.#queue.length > 0) {
				const item = this.#queue.shift();
				if (item === undefined) {
					return;
				}
				if (item instanceof Error) {
					throw item;
				}
				yield item;
			}
			await new Promise<void>(resolve => {
				this.#wake = resolve;
			});
		}
	}
}

/** A run saved by an earlier window. */
const kept = {
	key: 'k',
	connectionId: 'c',
	agent: 'summarize',
	user: 'ana',
	mode: 'streaming',
	startedAt: 0,
	runId: 'run-1',
} as const;

const createEmptyState = () => ({ events: 0, forms: new RunForms() });

const form = {
	form_id: 'f1',
	node_id: 'ask',
	node_title: 'Approve',
	form_content: 'Shall it go out?',
	inputs: [],
	actions: [{ id: 'yes', title: 'Yes', button_style: 'primary' }],
	form_token: 'tok',
};
const required: WorkflowEvent = { event: 'human_input_required', ...ids, data: form };
const paused: WorkflowEvent = {
	event: 'workflow_paused',
	...ids,
	data: { ...result, status: 'paused', paused_nodes: ['ask'], reasons: [] },
};
const resumed: WorkflowEvent = {
	event: 'workflow_started',
	...ids,
	data: { id: 'run-1', workflow_id: 'w', created_at: 1, reason: 'resumption' },
};
const filled: WorkflowEvent = { event: 'human_input_form_filled', ...ids, data: { node_id: 'ask', action_id: 'yes', action_text: 'Yes' } };

const waitForTick = () => new Promise(resolve => setImmediate(resolve));

describe('a live run', () => {
	it('streams to its end and reports every event', async () => {
		const tap = new Tap();
		const play = new Play({ streamWorkflow: tap.stream.bind(tap) as never });
		tap.push(started, { event: 'ping' }, { event: 'new_thing', data: 5 }, createRunFinished('succeeded'), undefined);
		await play.run.start(request);
		assert.deepEqual(play.events, ['workflow_started', 'ping', 'new_thing', 'workflow_finished']);
		assert.deepEqual(play.record, {
			runId: 'run-1',
			taskId: 'task-1',
			status: 'succeeded',
			outputs: { text: 'hi' },
			elapsedSeconds: 1.5,
			totalTokens: 3,
			totalSteps: 2,
			events: 3,
		});
	});

	it('sends a stop once the task ID is known, and is stopped only after the run has ended', async () => {
		const tap = new Tap();
		const play = new Play({
			streamWorkflow: tap.stream.bind(tap) as never,
			stopRun: async () => ({ result: 'success' }),
			getRun: async () => ({ ...result, status: 'running' }),
		});
		const end = play.run.start(request);
		await waitForTick();
		play.run.stop();
		await waitForTick();
		assert.deepEqual(play.calls, ['streamWorkflow']);
		assert.equal(play.record.status, 'stopping');
		tap.push(started);
		while (play.calls.filter(call => call === 'getRun run-1').length < 3) {
			await waitForTick();
		}
		assert.equal(play.calls[1], 'stopRun task-1');
		assert.equal(play.record.status, 'stopping', 'the service confirmed the stop, but the run is still active');
		tap.push(createRunFinished('stopped'), undefined);
		await end;
		assert.equal(play.record.status, 'stopped');
	});

	it("takes the stopped status from the run detail if the stream doesn't report it", async () => {
		const tap = new Tap();
		const details = ['running', 'running', 'stopped'];
		const play = new Play({
			streamWorkflow: tap.stream.bind(tap) as never,
			stopRun: async () => ({ result: 'success' }),
			getRun: async () => ({ ...result, status: details.shift() ?? 'stopped', outputs: '{"text":"part"}' }),
		});
		tap.push(started);
		const end = play.run.start(request);
		await waitForTick();
		play.run.stop();
		await end;
		assert.equal(play.record.status, 'stopped');
		assert.deepEqual(play.record.outputs, { text: 'part' });
	});

	it('continues if the stop is refused, and can be stopped again', async () => {
		const tap = new Tap();
		let refusals = 1;
		const play = new Play({
			streamWorkflow: tap.stream.bind(tap) as never,
			stopRun: async () => {
				if (refusals-- > 0) {
					throw new Error('The service refused (403).');
				}
				return { result: 'success' };
			},
			getRun: async () => ({ ...result, status: 'running' }),
		});
		tap.push(started);
		const end = play.run.start(request);
		await waitForTick();
		play.run.stop();
		await waitForTick();
		await waitForTick();
		assert.equal(play.record.status, 'running');
		assert.deepEqual(play.notes, ["Couldn't stop the run: The service refused (403). It's still running."]);
		const [note] = play.entries.filter(entry => 'note' in entry);
		assert.deepEqual(note?.message, {
			template: "Couldn't stop the run: {0}. It's still running.",
			args: ['The service refused (403)'],
		});
		play.run.stop();
		await waitForTick();
		await waitForTick();
		tap.push(createRunFinished('stopped'), undefined);
		await end;
		assert.equal(play.record.status, 'stopped');
	});

	it('is looked up if the stream breaks, and keeps the received events', async () => {
		const tap = new Tap();
		let tries = 0;
		const play = new Play({
			streamWorkflow: tap.stream.bind(tap) as never,
			getRun: async () => {
				if (++tries === 1) {
					throw Object.assign(new Error('No connection to 127.0.0.1:1.'), { name: 'ServiceError', reason: 'network' });
				}
				return { ...result, status: tries < 4 ? 'running' : 'succeeded', outputs: { text: 'whole' } };
			},
		});
		tap.push(started, new Error('The connection broke.'));
		await play.run.start(request);
		assert.equal(play.record.status, 'succeeded');
		assert.deepEqual(play.record.outputs, { text: 'whole' });
		assert.deepEqual(play.events, ['workflow_started']);
		assert.deepEqual(play.notes, [
			'The stream ended before the run did: The connection broke. Looking up the run by ID.',
			"Couldn't look up the run: No connection to 127.0.0.1:1. Retrying.",
		]);
		assert.ok(play.entries.some(entry => 'detail' in entry));
	});

	it('is lost if the service stays unreachable or no longer knows it', async () => {
		for (const reason of ['network', 'not-found']) {
			const tap = new Tap();
			const gone = Object.assign(new Error('Workflow run not found.'), { name: 'ServiceError', reason });
			const play = new Play({ streamWorkflow: tap.stream.bind(tap) as never, getRun: () => Promise.reject(gone) });
			tap.push(started, undefined);
			await play.run.start(request);
			assert.equal(play.record.status, 'lost');
			assert.equal(play.record.error, 'Workflow run not found');
		}
	});

	it('fails if the service refuses it, and is lost if the connection breaks before the first event', async () => {
		const refusal = Object.assign(new Error('Workflow not published.'), { name: 'ServiceError', reason: 'not-published', status: 400 });
		const broken = Object.assign(new Error('The connection broke.'), { name: 'ServiceError', reason: 'network', code: 'ECONNRESET' });
		for (const [error, status] of [
			[refusal, 'failed'],
			[broken, 'lost'],
		] as const) {
			const tap = new Tap();
			const play = new Play({ streamWorkflow: tap.stream.bind(tap) as never });
			tap.push(error);
			await play.run.start(request);
			assert.equal(play.record.status, status);
		}
	});

	it('fails with the message of an error event', async () => {
		const tap = new Tap();
		const play = new Play({ streamWorkflow: tap.stream.bind(tap) as never });
		tap.push(started, { event: 'error', status: 400, code: 'provider_not_initialize', message: 'No key.' }, new Error('error event'));
		await play.run.start(request);
		assert.equal(play.record.status, 'failed');
		assert.equal(play.record.error, 'provider_not_initialize: No key.');
	});

	it('reports the blocking response, and is abandoned with a note if it is stopped', async () => {
		const blocking: WorkflowRunRequest = { ...request, response_mode: 'blocking' };
		const answered = new Play({
			runWorkflow: async () => ({ workflow_run_id: 'run-2', task_id: 't', data: { ...result, status: 'succeeded', outputs: null } }),
		});
		await answered.run.start(blocking);
		assert.equal(answered.record.status, 'succeeded');
		assert.equal(answered.record.runId, 'run-2');

		const abandoned = new Play({
			runWorkflow: ((_request: unknown, { signal }: { signal: AbortSignal }) =>
				new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))) as never,
		});
		const end = abandoned.run.start(blocking);
		await waitForTick();
		abandoned.run.stop();
		await end;
		assert.equal(abandoned.record.status, 'abandoned');
		assert.match(abandoned.notes[0] ?? '', /can't be stopped: it continues on the service/);
	});

	it('is looked up by its ID after the window was closed', async () => {
		const play = new Play({ getRun: async () => ({ ...result, status: 'succeeded', outputs: { text: 'later' } }) });
		await play.run.resumeFollowing({ ...kept, status: 'running' }, createEmptyState());
		assert.equal(play.record.status, 'succeeded');
		assert.deepEqual(play.calls, ['getRun run-1']);
	});

	it('is looked up without asking for a key, and not retried without one', async () => {
		const play = new Play({ getRun: async () => ({ ...result, status: 'running', outputs: null }) });
		play.keyIsMissing = true;
		await play.run.resumeFollowing({ ...kept, status: 'lost' }, createEmptyState());
		assert.equal(play.record.status, 'lost');
		assert.equal(play.record.forgotten, undefined);
		assert.deepEqual(play.asks, [false, false]);
	});

	it('is not looked up again if the service no longer knows it', async () => {
		const play = new Play({
			getRun: async () => {
				throw Object.assign(new Error('No such run.'), { reason: 'not-found' });
			},
		});
		await play.run.resumeFollowing({ ...kept, status: 'running' }, createEmptyState());
		assert.equal(play.record.status, 'lost');
		assert.equal(play.record.forgotten, true);
	});

	it('is paused with its form, and sends no requests meanwhile', async () => {
		const tap = new Tap();
		const play = new Play({ streamWorkflow: tap.stream.bind(tap) as never });
		tap.push(started, required, paused, undefined);
		await play.run.start(request);
		assert.equal(play.record.status, 'paused');
		assert.deepEqual(play.record.forms, [{ id: 'f1', title: 'Approve', answerable: true }]);
		assert.deepEqual(play.calls, ['streamWorkflow']);
		assert.equal('outputs' in play.record, false);
	});

	it('is paused with the form of its blocking response', async () => {
		const reasons = [{ TYPE: 'human_input_required', ...form, form_token: null }];
		const play = new Play({
			runWorkflow: async () => ({ workflow_run_id: 'run-2', task_id: 't', data: { ...result, status: 'paused', outputs: {}, reasons } }),
		});
		await play.run.start({ ...request, response_mode: 'blocking' });
		assert.equal(play.record.status, 'paused');
		assert.deepEqual(play.record.forms, [{ id: 'f1', title: 'Approve', answerable: false }]);
	});

	for (const [service, stream] of [
		['replays all events', [started, required, paused, resumed, filled, createRunFinished('succeeded')]],
		['sends new events', [resumed, filled, createRunFinished('succeeded')]],
		['sends new events without a resumption event', [filled, createRunFinished('succeeded')]],
	] as const) {
		it(`continues after a submitted form, with each event once, if its service ${service}`, async () => {
			const forms = new RunForms();
			for (const event of [started, required, paused]) {
				forms.applyEntry({ at: 0, event });
			}
			const play = new Play({
				followRun: async function* () {
					yield* stream;
				} as never,
			});
			await play.run.resumeFollowing({ ...kept, status: 'paused' }, { events: 3, forms });
			assert.deepEqual(
				play.events.filter(name => name !== 'workflow_started'),
				['human_input_form_filled', 'workflow_finished'],
			);
			assert.deepEqual(
				play.changes.flatMap(({ status }) => status ?? []),
				['running', 'succeeded'],
			);
			assert.deepEqual(play.record.forms, []);
		});
	}

	it('stays paused while its service is paused', async () => {
		const play = new Play({
			followRun: async function* () {
				yield* [started, required, paused];
			} as never,
			getRun: async () => ({ ...result, status: 'paused', outputs: {} }),
		});
		await play.run.resumeFollowing({ ...kept, status: 'paused', forms: [] }, { events: 3, forms: new RunForms() });
		assert.equal(play.record.status, 'paused');
		assert.equal(play.calls.filter(call => call.startsWith('getRun')).length, 1);
	});

	it('shows why it is paused as a note, not as an error', async () => {
		const why = 'The secret "KEY" has none now: give it again';
		const play = new Play({
			followRun: () => {
				throw new Error('not here');
			},
			getRun: async () => ({ ...result, status: 'paused', outputs: {}, error: `${why}.` }),
		});
		await play.run.resumeFollowing({ ...kept, status: 'paused', forms: [] }, { events: 3, forms: new RunForms() });
		assert.deepEqual([play.record.status, play.record.error], ['paused', undefined]);
		assert.ok(play.notes.includes(why));
	});

	it('continues a broken stream from replayed events, each once', async () => {
		const tap = new Tap();
		const chunk: WorkflowEvent = { event: 'text_chunk', ...ids, data: { text: 'a' } };
		const replayed: WorkflowEvent[] = [
			started,
			{ event: 'one', data: 1 },
			{ event: 'two', data: 2 },
			chunk,
			createRunFinished('succeeded'),
		];
		const play = new Play({
			streamWorkflow: tap.stream.bind(tap) as never,
			followRun: async function* () {
				yield* replayed;
			} as never,
		});
		tap.push(started, chunk, { event: 'one', data: 1 }, new Error('The connection broke.'));
		await play.run.start(request);
		assert.deepEqual(play.events, ['workflow_started', 'text_chunk', 'one', 'two', 'text_chunk', 'workflow_finished']);
		assert.equal(play.record.status, 'succeeded');
		assert.deepEqual(play.calls, ['streamWorkflow', 'followRun run-1']);
	});

	it('is looked up if its end event has no data', async () => {
		const tap = new Tap();
		const play = new Play({
			streamWorkflow: tap.stream.bind(tap) as never,
			// biome-ignore lint/correctness/useYield: a service that can't replay events
			followRun: async function* () {
				throw new Error('no replay');
			} as never,
			getRun: async () => ({ ...result, status: 'succeeded', outputs: { text: 'hi' } }),
		});
		tap.push(started, { event: 'node_started', ...ids }, { event: 'workflow_finished', ...ids }, undefined);
		await play.run.start(request);
		assert.deepEqual(play.events, ['workflow_started', 'node_started', 'workflow_finished']);
		assert.equal(play.record.status, 'succeeded');
		assert.deepEqual(play.record.outputs, { text: 'hi' });
	});
});
