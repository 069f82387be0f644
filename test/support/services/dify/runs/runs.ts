import { randomUUID } from 'node:crypto';
import type { DifyDeployment } from '../difyDeployment.ts';
import { Refusal, Stream } from '../exchange.ts';
import type { FakeApp, FakeWorkflow, Fields } from '../state.ts';
import { EventLog } from './eventLog.ts';
import { type FakeForm, type FakeRun, isChatRun } from './fakeRun.ts';
import { createFinishedEvent } from './runEvents.ts';
import { simulateRun } from './runPlayer.ts';

export interface RunAsked {
	readonly app: FakeApp;
	readonly workflow: FakeWorkflow;
	readonly triggeredFrom: FakeRun['triggeredFrom'];
	readonly user?: string | undefined;
	readonly inputs: Fields;
	readonly query?: string | undefined;
	readonly conversationId?: string | undefined;
}

/** All runs of a deployment, in starting order. */
export class Runs {
	readonly all: FakeRun[] = [];
	readonly #fake: DifyDeployment;

	constructor(fake: DifyDeployment) {
		this.#fake = fake;
	}

	/** Starts a run, which continues even without a listener. */
	startRun(asked: RunAsked): FakeRun {
		const run: FakeRun = {
			id: randomUUID(),
			taskId: randomUUID(),
			app: asked.app,
			workflow: structuredClone(asked.workflow),
			triggeredFrom: asked.triggeredFrom,
			user: asked.user,
			inputs: asked.inputs,
			query: asked.query,
			conversationId: asked.conversationId || randomUUID(),
			messageId: randomUUID(),
			createdAt: this.#fake.getTime(),
			finishedAt: undefined,
			status: 'running',
			outputs: null,
			error: null,
			answer: '',
			tokens: 0,
			exceptions: 0,
			executions: [],
			events: new EventLog(),
			forms: [],
			pool: new Map(Object.entries({ 'sys.query': asked.query ?? '', 'sys.user_id': asked.user ?? '' })),
			wake: undefined,
		};
		for (const { name, value } of asked.workflow.environment) {
			run.pool.set(`env.${name}`, value);
		}
		this.all.push(run);
		void simulateRun(this.#fake, run).catch((error: unknown) => this.#fake.errors.push(error));
		return run;
	}

	findRun(app: FakeApp | undefined, id: string | undefined): FakeRun | undefined {
		return this.all.find(each => each.app.id === app?.id && each.id === id);
	}

	findRunByTask(taskId: string | undefined): FakeRun | undefined {
		return this.all.find(each => each.taskId === taskId);
	}

	/** Returns the form with a token. */
	findForm(token: string | undefined): FakeForm | undefined {
		return this.all.flatMap(each => each.forms).find(each => each.token === token);
	}
}

/** Streams a run to the request that started it: a ping immediately, then all events until its end or pause. */
export function streamRun(run: FakeRun): Stream {
	return new Stream(startWithPing(run.events.readEventsFrom(0, createEndCheck(run, false))));
}

/**
 * Streams a run to a follower. A finished run has one event. An active run has its new events, preceded by the past ones if the query
 * requests a `snapshot`.
 */
export function followRun(run: FakeRun, query: URLSearchParams): Stream {
	if (run.finishedAt !== undefined) {
		return new Stream([createFinishedEvent(run)]);
	}
	const past =
		query.get('include_state_snapshot') === 'true'
			? run.events.past.filter(each => !/^(message|text_chunk|workflow_paused)/.test(String(each['event'])))
			: [];
	const isEnd = createEndCheck(run, query.get('continue_on_pause') === 'true');
	const after = run.events.length;
	return new Stream(
		(async function* () {
			yield* past;
			yield* run.events.readEventsFrom(after, isEnd);
		})(),
	);
}

async function* startWithPing(events: AsyncIterable<Fields>): AsyncGenerator<Fields | undefined> {
	yield undefined;
	yield* events;
}

function createEndCheck(run: FakeRun, overPauses: boolean): (event: Fields) => boolean {
	const last = isChatRun(run) ? ['message_end', 'error'] : ['workflow_finished', 'error'];
	return ({ event }) => last.includes(String(event)) || (!overPauses && event === 'workflow_paused');
}

/** Returns the response body of a form, which is the same for all surfaces. */
export function createFormBody({ content, node, expiresAt }: FakeForm): Fields {
	return {
		form_content: content,
		inputs: node.data['inputs'] ?? [],
		resolved_default_values: {},
		user_actions: node.data['user_actions'] ?? [],
		expiration_time: Math.floor(expiresAt),
	};
}

/** Submits a form, which resumes the run. If the values aren't valid, throws and leaves the form open. */
export function answerForm(form: FakeForm, { action, inputs }: { readonly action: unknown; readonly inputs: Fields }): void {
	const actions = (form.node.data['user_actions'] ?? []) as { id: string }[];
	const wanted = ((form.node.data['inputs'] ?? []) as { type: string; output_variable_name: string }[]).filter(
		each => each.type !== 'paragraph',
	);
	const missing = wanted.find(each => inputs[each.output_variable_name] === undefined);
	if (!actions.some(each => each.id === action) || missing) {
		throw new Refusal(
			400,
			'invalid_form_data',
			missing ? `Missing required inputs: ${missing.output_variable_name}` : `Invalid action: ${action}`,
		);
	}
	form.answer = { action: String(action), inputs };
	form.run.wake?.();
}

/** Throws if the form was already submitted or has expired. */
export function checkFormIsOpen(fake: DifyDeployment, form: FakeForm): void {
	if (form.answer) {
		throw new Refusal(412, 'human_input_form_submitted', 'This form has already been submitted by another user.');
	}
	if (form.expiresAt <= fake.getTime() || form.run.status !== 'paused') {
		throw new Refusal(412, 'human_input_form_expired', 'This form has expired.');
	}
}
