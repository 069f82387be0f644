import assert from 'node:assert/strict';
import type { ServiceError } from '#client/errors/serviceError.ts';
import { isEvent, type WorkflowEvent } from '#contract/events.ts';
import { collectItems } from '../client/shippedClient.ts';
import { createAgentText, type Managed, manageDeployment, stopDeployments } from './managed.ts';

/** A workflow that pauses for a form between its start and its end. */
const asking = createAgentText()
	.replace('edges:\n', 'edges:\n    - {id: e2, source: ask, sourceHandle: ok, target: end}\n')
	.replace('target: end}\n  features', 'target: ask}\n  features')
	.replace(
		'    edges:',
		`    - id: ask
      data:
        type: human-input
        title: Ask
        form_content: Fine?
        delivery_methods: [{type: webapp, enabled: true, id: d1}]
        inputs: []
        user_actions: [{id: ok, title: OK, button_style: primary}]
        timeout: 1
        timeout_unit: hour
    edges:`,
	);

describe('runs of drafts in Dify', () => {
	afterEach(stopDeployments);

	for (const release of ['1.9.1', '1.14.2', '1.18.0']) {
		it(`runs a draft and returns its trace (${release})`, async () => {
			const { fake, management } = await manageDeployment({ release });
			const app = fake.addApp(createAgentText());
			const events = await collectItems(management.streamDraft(app.id, { inputs: { who: 'Ana' } }));
			assert.equal(events[0]!.event, 'workflow_started');
			const last = events.at(-1)!;
			assert.ok(isEvent(last, 'workflow_finished') && last.data.status === 'succeeded');
			const { runs, hasMore } = await management.runs({ id: app.id, mode: 'workflow' }, { limit: 10, triggeredFrom: 'debugging' });
			assert.deepEqual([runs.map(({ id, status }) => [id, status]), hasMore], [[[last.workflow_run_id, 'succeeded']], false]);
			assert.ok(Math.abs(runs[0]!.createdAt! - fake.getTime()) < 600);
			const run = await management.run(app.id, last.workflow_run_id);
			assert.equal(run.inputs?.['who'], 'Ana');
			assert.ok(run.graph);
			const nodes = await management.runNodes(app.id, last.workflow_run_id);
			assert.deepEqual(nodes.map(({ node_id, status }) => [node_id, status]).sort(), [
				['end', 'succeeded'],
				['start', 'succeeded'],
			]);
		});

		it(`runs a chat draft and continues its conversation (${release})`, async () => {
			const { fake, management } = await manageDeployment({ release });
			const app = fake.addApp(createAgentText({ mode: 'advanced-chat' }));
			const events = await collectItems(management.streamDraftChat(app.id, { query: 'Hi', inputs: {} }));
			const last = events.at(-1)!;
			assert.equal(last.event, 'message_end');
			const { conversation_id } = last as { conversation_id?: string };
			const more = await collectItems(management.streamDraftChat(app.id, { query: 'Again', inputs: {}, conversationId: conversation_id! }));
			assert.equal((more.at(-1) as { conversation_id?: string }).conversation_id, conversation_id);
			assert.equal((await management.runs({ id: app.id, mode: 'advanced-chat' })).runs.length, 2);
		});

		it(`runs one node alone (${release})`, async () => {
			const { fake, management } = await manageDeployment({ release });
			const app = fake.addApp(createAgentText());
			const node = await management.runNode(app.id, 'end', { mode: 'workflow', inputs: { '#start.who#': 'Ana' } });
			assert.deepEqual([node.node_id, node.status], ['end', 'succeeded']);
			await assert.rejects(management.runNode(app.id, 'nobody', { mode: 'workflow', inputs: {} }), { name: 'ServiceError' });
			if (management.offers.has('lastNodeRun')) {
				assert.equal((await management.lastNodeRun(app.id, 'end'))?.id, node.id);
				assert.equal(await management.lastNodeRun(app.id, 'start'), undefined);
			}
		});

		it(`stops a run while other requests are active, and reports a broken stream (${release})`, async () => {
			const { fake, management } = await manageDeployment({ release });
			const app = fake.addApp(createAgentText());
			fake.play.held.set('end', new Promise(() => {}));
			const seen: WorkflowEvent[] = [];
			for await (const event of management.streamDraft(app.id, { inputs: {} })) {
				seen.push(event);
				if (seen.length === 1) {
					assert.equal((await management.app(app.id)).name, 'Hello');
					await management.stopDraft(app.id, (event as { task_id: string }).task_id);
				}
			}
			const last = seen.at(-1)!;
			assert.ok(isEvent(last, 'workflow_finished') && last.data.status === 'stopped');
			fake.play.held.clear();
			fake.faults.planFault(/draft.*run$/, { kind: 'cut', afterEvents: 2 });
			await assert.rejects(collectItems(management.streamDraft(app.id, { inputs: {} })), (error: ServiceError) => {
				assert.equal(error.reason, 'network');
				return error.received! > 0;
			});
		});
	}

	for (const release of ['1.14.2', '1.18.0']) {
		it(`answers and follows a run that pauses for a form (${release})`, async () => {
			const managed = await manageDeployment({ release });
			const { management } = managed;
			const { token, runId, appId } = await runUntilPaused(managed);
			const form = await management.getForm(appId, token);
			assert.deepEqual(
				form.user_actions.map(({ id }) => id),
				['ok'],
			);
			await assert.rejects(management.submitForm(appId, token, { inputs: {}, action: 'maybe' }), {
				status: 400,
				code: 'invalid_form_data',
			});
			await management.submitForm(appId, token, { inputs: {}, action: 'ok' });
			const last = (await collectItems(management.followRun(appId, runId))).at(-1)!;
			assert.ok(isEvent(last, 'workflow_finished') && last.data.status === 'succeeded');
			await assert.rejects(management.getForm(appId, 'none'), { reason: 'not-found' });
			assert.ok(managed.reports.every(({ path }) => !path.includes(token)));
		});
	}

	it('reports that an older console has no forms', async () => {
		const { management } = await manageDeployment({ release: '1.12.0' });
		await assert.rejects(management.getForm('a', 'b'), { code: 'not_offered', message: /Dify 1\.13 or later/ });
		await assert.rejects(management.followRun('a', 'b').next(), { code: 'not_offered' });
	});

	it("returns the draft's variables with their values", async () => {
		const { fake, management } = await manageDeployment({ release: '1.14.2' });
		const app = fake.addApp(createAgentText());
		assert.deepEqual(await management.draftVariables(app.id), []);
		await collectItems(management.streamDraft(app.id, { inputs: { who: 'Ana' } }));
		const variables = await management.draftVariables(app.id);
		assert.deepEqual(
			variables.filter(({ name }) => name === 'who').map(({ selector, value }) => [selector, value]),
			[[['start', 'who'], 'Ana']],
		);
	});

	async function runUntilPaused({ fake, management }: Managed): Promise<{ token: string; runId: string; appId: string }> {
		const app = fake.addApp(asking);
		const events = await collectItems(management.streamDraft(app.id, { inputs: {} }));
		const last = events.at(-1)!;
		assert.ok(isEvent(last, 'workflow_paused'), last.event);
		const required = events.find(event => isEvent(event, 'human_input_required'))!;
		return { token: required.data.form_token!, runId: last.workflow_run_id, appId: app.id };
	}
});
