import assert from 'node:assert/strict';
import { ServiceClient } from '#client/client.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import type { Connections } from '#editor/connections/connectionTypes.ts';
import { type DeploymentDrafts, getExecutionName, RunServices } from '#editor/runs/following/runServices.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import { RunFollower } from '#runs/following/runFollower.ts';
import { RunForms } from '#runs/forms/runForms.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { DifyDeployment } from '../../support/services/dify/difyDeployment.ts';
import { startTrackedDeployment, stopDeployments } from './managed.ts';

const asker = `app: {name: Asker, mode: workflow}
kind: app
version: 0.6.0
workflow:
  graph:
    edges:
    - {id: a, source: start, sourceHandle: source, target: ask, targetHandle: target}
    - {id: b, source: ask, sourceHandle: approve, target: late, targetHandle: target}
    - {id: c, source: late, sourceHandle: source, target: end, targetHandle: target}
    nodes:
    - {id: start, data: {type: start, title: Start, variables: []}}
    - id: ask
      data:
        type: human-input
        title: Ask
        form_content: 'May I? {{#$output.level#}}'
        inputs:
        - {type: select, output_variable_name: level, option_source: {type: constant, selector: [], value: [low, high]}}
        user_actions:
        - {id: approve, title: Approve, button_style: primary}
        timeout: 3
        timeout_unit: day
    - {id: late, data: {type: template-transform, title: Late, template: hi, variables: []}}
    - {id: end, data: {type: end, title: End, outputs: [{variable: level, value_selector: [ask, level]}]}}
`;
const user = 'ana';
const model = 'Asker';

/** A run through an app's service API, followed as in the editor. */
class Run {
	readonly entries: JournalEntry[] = [];
	record: RunRecord = { key: 'k', connectionId: 'c', agent: model, user, mode: 'streaming', startedAt: 0, status: 'starting' };
	readonly client: ServiceClient;
	#follower: RunFollower;
	#notify = () => {};

	constructor(fake: DifyDeployment, key: string) {
		this.client = new ServiceClient({ baseUrl: `${fake.origin}/v1`, kind: 'dify', keys: { agent: key }, network: { environment: {} } });
		this.#follower = this.#createFollower();
	}

	get events(): WorkflowEvent[] {
		return this.entries.flatMap(entry => ('event' in entry ? [entry.event] : []));
	}
	get ended(): unknown[] {
		return this.events.flatMap(event =>
			event.event === 'node_finished' ? [(event as { data?: { node_id?: unknown } }).data?.node_id] : [],
		);
	}
	get token(): string {
		const event = this.events.find(({ event: name }) => name === 'human_input_required') as { data?: { form_token?: string } } | undefined;
		return event?.data?.form_token ?? '';
	}
	get runId(): string {
		return this.record.runId ?? '';
	}

	startRun(): Promise<void> {
		return this.#follower.start({ model, inputs: {}, response_mode: 'streaming', user });
	}
	async waitForCondition(wanted: () => boolean): Promise<void> {
		while (!wanted()) {
			await new Promise<void>(resolve => {
				this.#notify = resolve;
			});
		}
	}
	/** Follows the run again, as after an answered form or a restart of the window. */
	async followRunAgain(): Promise<void> {
		const forms = new RunForms();
		for (const entry of this.entries) {
			forms.applyEntry(entry);
		}
		this.#follower.stopFollowing();
		this.#follower = this.#createFollower();
		await this.#follower.resumeFollowing(this.record, { events: this.events.length, forms });
	}
	submitForm(inputs: Record<string, unknown>, action = 'approve'): Promise<void> {
		return this.client.submitForm(this.token, { model, inputs, action, user });
	}

	#createFollower(): RunFollower {
		const connections = { getClient: async () => this.client, get: () => ({ kind: 'dify' }) } as unknown as Connections;
		const services = new RunServices(connections, {} as DeploymentDrafts);
		const listKnownExecutions = async () => new Set(this.events.flatMap(event => getExecutionName(event) ?? []));
		return new RunFollower({
			connect: options => services.getService(this.record, { ...options, known: listKnownExecutions }),
			observer: {
				onEntry: entry => {
					this.entries.push(entry);
					this.#notify();
				},
				changeRecord: patch => {
					this.record = { ...this.record, ...patch };
					this.#notify();
				},
			},
		});
	}
}

describe("forms of runs through Dify's service API", () => {
	let fake: DifyDeployment;
	let run: Run;

	beforeEach(async () => {
		fake = await startTrackedDeployment({ release: '1.14.2' });
		const app = fake.addApp(asker);
		fake.publishDraft(app);
		run = new Run(fake, fake.addKey(app));
	});
	afterEach(async () => {
		await run.client.close();
		await stopDeployments();
	});

	it('are shown, refuse invalid values, accept one answer and resume the run with each node once', async () => {
		await run.startRun();
		assert.deepEqual(
			[run.record.status, run.record.forms?.map(({ title, answerable }) => [title, answerable])],
			['paused', [['Ask', true]]],
		);
		const form = await run.client.getForm(run.token, { model });
		assert.deepEqual([form.form_content, form.user_actions.map(({ id }) => id)], ['May I? {{#$output.level#}}', ['approve']]);
		await assert.rejects(run.submitForm({}), { status: 400, code: 'invalid_form_data', reason: 'invalid-request' });
		await assert.rejects(run.submitForm({ level: 'low' }, 'maybe'), { code: 'invalid_form_data' });
		let go = () => {};
		fake.play.held.set(
			'late',
			new Promise<void>(resolve => {
				go = resolve;
			}),
		);
		await run.submitForm({ level: 'high' });
		await assert.rejects(run.submitForm({ level: 'low' }), { status: 412, code: 'human_input_form_submitted' });
		const following = run.followRunAgain();
		await run.waitForCondition(() => run.ended.includes('ask'));
		go();
		await following;
		assert.deepEqual([run.record.status, run.record.outputs], ['succeeded', { level: 'high' }]);
		assert.deepEqual(new Set(run.ended), new Set(['start', 'ask', 'late', 'end']));
		assert.equal(run.ended.length, new Set(run.ended).size);
	});

	it("report expiry; foreign tokens and runs aren't found", async () => {
		await run.startRun();
		fake.advanceClock(4 * 24 * 3600);
		await assert.rejects(run.submitForm({ level: 'low' }), { status: 412, code: 'human_input_form_expired' });
		await assert.rejects(run.client.getForm('none', { model }), { reason: 'not-found' });
		await assert.rejects(collectEvents(run.client.followRun(run.runId, { model, user: 'eve' })), { reason: 'not-found' });
	});

	it('can be awaited in one stream across the pause', async () => {
		await run.startRun();
		const following = collectEvents(
			run.client.followRun(run.runId, { model, user, include_state_snapshot: true, continue_on_pause: true }),
		);
		await run.submitForm({ level: 'low' });
		const names = (await following).map(({ event }) => event);
		assert.ok(names.includes('human_input_form_filled'), names.join());
		assert.equal(names.at(-1), 'workflow_finished');
	});

	it('resume the run here after an answer elsewhere and emit each missed event once', async () => {
		await run.startRun();
		let go = () => {};
		fake.play.held.set(
			'late',
			new Promise<void>(resolve => {
				go = resolve;
			}),
		);
		await run.submitForm({ level: 'low' });
		const following = run.followRunAgain();
		await run.waitForCondition(() => run.events.some(({ event }) => event === 'human_input_form_filled') || run.ended.includes('ask'));
		go();
		await following;
		assert.equal(run.record.status, 'succeeded');
		assert.deepEqual([...run.ended].sort(), ['ask', 'end', 'late', 'start']);
	});
});

async function collectEvents<T>(events: AsyncIterable<T>): Promise<T[]> {
	const found: T[] = [];
	for await (const event of events) {
		found.push(event);
	}
	return found;
}
