import assert from 'node:assert/strict';
import type { DifyManagement } from '#client/dify/management.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import { DraftService } from '#editor/dify/drafts/draftService.ts';
import { getExecutionName } from '#editor/runs/following/runServices.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import { RunFollower } from '#runs/following/runFollower.ts';
import { RunForms } from '#runs/forms/runForms.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { createWorkflowFile, pausingChatFile } from '../../support/services/dify/sampleApps.ts';
import { createPasswordSession, type Managed, manageDeployment, stopDeployments } from './managed.ts';

/** A draft that runs on a deployment, with all its journal entries. */
class Draft {
	readonly entries: JournalEntry[] = [];
	record: RunRecord;
	readonly #service: DraftService;
	#follower: RunFollower;
	#notify = () => {};

	constructor(management: DifyManagement, app: string, mode: string, node?: string) {
		this.#service = new DraftService({
			management,
			draft: { app, mode, ...(node !== undefined && { node }) },
			known: async () => new Set(this.events.map(event => getExecutionName(event) ?? '')),
			uploadFile: () => Promise.reject(new Error('no upload')),
		});
		this.record = { key: 'k', connectionId: 'c', agent: 'a', user: 'u', mode: 'streaming', startedAt: 0, status: 'starting' };
		this.#follower = this.#createFollower();
	}

	get events(): WorkflowEvent[] {
		return this.entries.flatMap(entry => ('event' in entry ? [entry.event] : []));
	}
	/** IDs of the finished nodes, in order. */
	get ended(): unknown[] {
		return this.events.flatMap(event =>
			event.event === 'node_finished' ? [(event as { data?: { node_id?: unknown } }).data?.node_id] : [],
		);
	}

	startRun(inputs: Record<string, unknown>): Promise<void> {
		return this.#follower.start({ model: 'a', inputs, response_mode: 'streaming', user: 'u' });
	}
	stopFollowing(): void {
		this.#follower.stop();
	}
	/** Resolves once the condition holds for the received events. */
	async waitForCondition(wanted: () => boolean): Promise<void> {
		while (!wanted()) {
			await new Promise<void>(resolve => {
				this.#notify = resolve;
			});
		}
	}
	/** Follows the run again, as after a restart of the window or an answered form. */
	async followRunAgain(): Promise<void> {
		const forms = new RunForms();
		for (const entry of this.entries) {
			forms.applyEntry(entry);
		}
		this.#follower.stopFollowing();
		this.#follower = this.#createFollower();
		await this.#follower.resumeFollowing(this.record, { events: this.events.length, forms });
	}
	submitForm(token: string, inputs: Record<string, unknown>): Promise<void> {
		return this.#service.submitForm(token, { inputs, action: 'approve', user: 'u' });
	}

	#createFollower(): RunFollower {
		return new RunFollower({
			connect: async () => this.#service,
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

describe('drafts of deployments of each generation', () => {
	afterEach(stopDeployments);

	for (const release of ['1.9.1', '1.13.3', '1.18.0']) {
		it(`${release}: runs with its nodes, and reads them from the trace after a lost stream`, async () => {
			const { fake, management } = await manageDeployment({ release });
			const { id } = fake.addApp(createWorkflowFile({ version: '0.4.0' }));
			const draft = new Draft(management, id, 'workflow');
			await draft.startRun({ who: 'Ana' });
			assert.deepEqual([draft.record.status, draft.ended], ['succeeded', ['start', 'llm', 'end']]);
			const { runId = '' } = draft.record;
			const service = new DraftService({
				management,
				draft: { app: id, mode: 'workflow' },
				uploadFile: () => Promise.reject(new Error('no upload')),
			});
			const trace: (string | undefined)[] = [];
			for await (const event of service.followRun(runId)) {
				trace.push(getExecutionName(event));
			}
			const streamed = draft.events.map(getExecutionName).filter(name => name !== undefined);
			assert.deepEqual(new Set(trace), new Set(streamed));
			assert.equal((await management.runs({ id, mode: 'workflow' }, { triggeredFrom: 'debugging' })).runs[0]?.id, runId);
		});

		it(`${release}: stops in the middle of a node, and has ended when the run reports it`, async () => {
			const { fake, management } = await manageDeployment({ release });
			const { id } = fake.addApp(createWorkflowFile({ version: '0.4.0' }));
			fake.play.held.set('llm', new Promise(() => {}));
			const draft = new Draft(management, id, 'workflow');
			const run = draft.startRun({});
			await draft.waitForCondition(() => draft.record.taskId !== undefined);
			draft.stopFollowing();
			await run;
			assert.equal(draft.record.status, 'stopped');
		});

		it(`${release}: runs one node alone`, async () => {
			const { fake, management } = await manageDeployment({ release });
			const { id } = fake.addApp(createWorkflowFile({ version: '0.4.0' }));
			const draft = new Draft(management, id, 'workflow', 'llm');
			await draft.startRun({ '#start.who#': 'Ana' });
			assert.deepEqual([draft.record.status, draft.ended], ['succeeded', ['llm']]);
		});
	}

	it('answers a form through the console and follows the run with each node once', async () => {
		const { management, app } = await startPausingDeployment('1.13.3');
		const draft = new Draft(management, app, 'advanced-chat');
		await draft.startRun({ 'sys.query': 'Hi' });
		const [form] = draft.record.forms ?? [];
		assert.deepEqual([draft.record.status, form?.answerable], ['paused', true]);
		const token = getFormToken(draft);
		await assert.rejects(draft.submitForm('nothing', {}), { reason: 'not-found' });
		await draft.submitForm(token, { note: 'yes' });
		await assert.rejects(draft.submitForm(token, { note: 'no' }), { status: 412, code: 'human_input_form_submitted' });
		await draft.followRunAgain();
		assert.equal(draft.record.status, 'succeeded');
		assert.deepEqual(new Set(draft.ended), new Set(['start', 'ask', 'answer']));
		assert.equal(
			new Set(draft.events.flatMap(event => getExecutionName(event) ?? [])).size,
			draft.events.flatMap(event => getExecutionName(event) ?? []).length - countResumptions(draft),
		);
	});

	it('finds the current state of a run after the window was closed', async () => {
		const { fake, management } = await manageDeployment({ release: '1.18.0' });
		const { id } = fake.addApp(createWorkflowFile());
		let go = () => {};
		fake.play.held.set(
			'end',
			new Promise<void>(resolve => {
				go = resolve;
			}),
		);
		const draft = new Draft(management, id, 'workflow');
		void draft.startRun({});
		await draft.waitForCondition(() => draft.ended.includes('llm'));
		const following = draft.followRunAgain();
		go();
		await following;
		assert.deepEqual([draft.record.status, draft.ended], ['succeeded', ['start', 'llm', 'end']]);
	});
});

async function startPausingDeployment(release: string): Promise<Pick<Managed, 'fake' | 'management'> & { readonly app: string }> {
	const { fake, management, open } = await manageDeployment({ release });
	const session = fake.release.openapi === undefined ? await createPasswordSession(fake) : undefined;
	return { fake, management: session ? open(session) : management, app: fake.addApp(pausingChatFile).id };
}

function getFormToken(draft: Draft): string {
	const event = draft.events.find(({ event: name }) => name === 'human_input_required') as { data?: { form_token?: string } } | undefined;
	return event?.data?.form_token ?? '';
}

/** Counts how often the run was resumed. A resumed run repeats its workflow_started event. */
function countResumptions(draft: Draft): number {
	return draft.events.filter(({ event }) => event === 'workflow_started').length - 1;
}
