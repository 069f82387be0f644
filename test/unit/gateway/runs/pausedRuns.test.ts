import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ServiceFault } from '#contract/faults/serviceFault.ts';
import { AgentRegistry } from '#gateway/agents/agentRegistry.ts';
import { AgentSecrets } from '#gateway/agents/agentSecrets.ts';
import { Log } from '#gateway/process/log.ts';
import { Engine } from '#gateway/runs/engine.ts';
import { PausedRuns } from '#gateway/runs/pausedRuns.ts';
import { RunRecorder } from '#gateway/runs/runRecorder.ts';
import { RunService } from '#gateway/runs/runService.ts';
import { RunSlots } from '#gateway/runs/runSlots.ts';
import { Store } from '#gateway/store/store.ts';
import { createFormAgent, createFormNode, createGraphFile, startData } from '../../../contract/gateway/formAgents.ts';
import { createTestServices } from '../../engine/run/engineFixture.ts';

const log = new Log('json', () => {});
const hour = 3_600_000;
const day = 24 * hour;

describe('paused runs over time', () => {
	let folder: string;
	let now: number;
	let house: House;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'paused-test-'));
		now = Date.now();
		house = openGateway();
	});
	afterEach(async () => {
		await house.close();
		fs.rmSync(folder, { recursive: true });
	});

	interface House {
		readonly store: Store;
		readonly runs: RunService;
		readonly forms: PausedRuns;
		readonly agents: AgentRegistry;
		readonly slots: RunSlots;
		close(): Promise<void>;
	}

	/** Opens the parts of a gateway on this folder; opening them again is a restart. */
	function openGateway(pausedDays = 7): House {
		const store = new Store(folder, 0, log);
		const engine = new Engine(createTestServices(undefined, { now: () => now }));
		const secrets = new AgentSecrets({ configured: new Map(), allowed: [], environment: {}, log });
		const agents = new AgentRegistry(store.agents, { loader: async () => engine.loadAgent, codeVersion: 'test' }, new Set(), secrets, log);
		const slots = new RunSlots(10);
		const recorder = new RunRecorder(store.runs, store.late, log);
		const runs = new RunService({ store, engine: async () => engine, slots, recorder, log });
		const resumeRun: ConstructorParameters<typeof PausedRuns>[0]['resume'] = run => run.start();
		const forms = new PausedRuns({ store, runs, slots, agents, resume: resumeRun, limitMs: pausedDays * day, now: () => now, log });
		forms.start();
		return {
			store,
			runs,
			forms,
			agents,
			slots,
			async close() {
				forms.stop();
				agents.close();
				await runs.shutDown(1000);
				await store.close();
			},
		};
	}

	async function restartGateway(pausedDays?: number): Promise<void> {
		await house.close();
		house = openGateway(pausedDays);
	}

	async function pauseRun(source: string): Promise<{ readonly seq: number; readonly token: string }> {
		const target = await house.agents.getDraft('asker', source);
		using prepared = await house.runs.prepareRun({ target, inputs: { name: 'Ana' }, files: [], user: 'ana', mode: 'streaming' });
		let token = '';
		const live = await prepared.start(event => {
			token = event.event === 'human_input_required' ? ((event as { data: { form_token: string } }).data.form_token as string) : token;
		});
		assert.equal((await live.done).data.status, 'paused');
		return { seq: live.seq, token };
	}

	/** Resolves to the state of a run that is running or has just ended. */
	async function getOutcome(seq: number): Promise<{ readonly status: string; readonly error: string | null; readonly outputs: unknown }> {
		const getRow = () => house.store.runs.getRows([seq])[0];
		if (getRow()?.status === 'paused') {
			await house.runs.waiting.waitForChange(seq);
		}
		await house.runs.getLiveRun(getRow()?.task_id ?? '')?.done;
		const { status = '', error = null, agent = 0, id = '' } = getRow() ?? {};
		return { status, error, outputs: JSON.parse(house.store.runs.getRunDetail(agent, id)?.outputs ?? 'null') };
	}

	const answerForm = (token: string) => house.forms.answerForm(token, undefined, { action: 'ok', inputs: { note: 'fine' } });
	const createRefusalCheck = (status: number, code: string) => (error: ServiceFault) =>
		error.status === status && error.details.code === code;

	it('are unfinished like running ones, until they are stopped', async () => {
		const target = await house.agents.getDraft('asker', createFormAgent());
		using prepared = await house.runs.prepareRun({ target, inputs: { name: 'Ana' }, files: [], user: 'ana', mode: 'streaming' });
		let id = '';
		let whileRunning = false;
		const live = await prepared.start(event => {
			if (event.event === 'human_input_required') {
				id = String((event as { workflow_run_id?: unknown }).workflow_run_id);
				// the first nodes can run before the run is registered
				queueMicrotask(() => {
					whileRunning = house.runs.isUnfinished(id);
				});
			}
		});
		await live.done;
		assert.ok(whileRunning);
		assert.ok(house.runs.isUnfinished(id));
		await house.runs.stopRuns([id]);
		assert.ok(!house.runs.isUnfinished(id));
	});

	it('can be answered a week later, after three restarts', async () => {
		const { seq, token } = await pauseRun(createFormAgent());
		for (let restarts = 0; restarts < 3; restarts++) {
			now += 2.5 * day;
			await restartGateway(30);
			assert.equal(house.store.runs.getRows([seq])[0]?.status, 'paused');
		}
		answerForm(token);
		const { status, outputs } = await getOutcome(seq);
		assert.deepEqual([status, (outputs as { note: string }).note], ['succeeded', 'fine']);
		assert.throws(() => answerForm(token), createRefusalCheck(412, 'human_input_form_submitted'));
	});

	for (const [timeout, timeout_unit, ms] of [
		[2, 'hour', 2 * hour],
		[3, 'day', 3 * day],
	] as const) {
		it(`time out after ${timeout} ${timeout_unit}s, which also count while no gateway runs`, async () => {
			const { seq, token } = await pauseRun(createFormAgent({ timeout, timeout_unit }));
			now += ms - 2000;
			house.forms.start();
			assert.ok(house.forms.getForm(token, undefined));
			await restartGateway();
			assert.ok(house.forms.getForm(token, undefined));
			now += 2000;
			assert.throws(() => answerForm(token), createRefusalCheck(412, 'human_input_form_expired'), 'before any timer has run');
			await restartGateway();
			assert.deepEqual(await getOutcome(seq), { status: 'succeeded', error: null, outputs: { late: 'nobody came' } });
			assert.throws(() => answerForm(token), createRefusalCheck(412, 'human_input_form_expired'));
		});
	}

	it('are stopped when the limit for all forms is over, and not before', async () => {
		const { seq, token } = await pauseRun(createFormAgent({ timeout: 14, timeout_unit: 'day' }));
		now += 7 * day - 1;
		await restartGateway();
		assert.ok(house.forms.getForm(token, undefined));
		now += 2;
		assert.throws(() => answerForm(token), createRefusalCheck(412, 'human_input_form_expired'));
		await restartGateway();
		assert.deepEqual(await getOutcome(seq), { status: 'stopped', error: 'Human input global timeout at node ask', outputs: null });
		assert.throws(() => answerForm(token), createRefusalCheck(412, 'human_input_form_expired'));
		const last = JSON.parse(house.store.runs.getEvents(seq).at(-1) ?? '{}');
		assert.deepEqual([last.event, last.data.status], ['workflow_finished', 'stopped']);
	});

	it("time out if their own deadline came before that limit, however late it's noticed", async () => {
		const { seq } = await pauseRun(createFormAgent({ timeout: 3, timeout_unit: 'day' }));
		now += 100 * day;
		await restartGateway();
		assert.equal((await getOutcome(seq)).status, 'succeeded');
	});

	it('give other forms of the run their own time', async () => {
		const source = createGraphFile(
			'workflow',
			{
				start: startData,
				one: createFormNode({ timeout: 1, timeout_unit: 'hour' }),
				two: createFormNode({ timeout: 5, timeout_unit: 'hour' }),
				end: { type: 'end', outputs: [{ variable: 'two', value_selector: ['two', '__action_id'] }] },
			},
			['start > one', 'start > two', 'two [ok] > end'],
		);
		const { seq, token } = await pauseRun(source);
		now += 2 * hour;
		house.forms.start();
		assert.equal((await getOutcome(seq)).status, 'paused');
		assert.equal(house.forms.getForm(token, undefined).user_actions.length, 2);
		await restartGateway();
		answerForm(token);
		assert.deepEqual((await getOutcome(seq)).outputs, { two: 'ok' });
	});

	it("don't slow down the start, however many there are", async () => {
		const first = await pauseRun(createFormAgent());
		const { agent, task_id: _, ...row } = house.store.runs.getRows([first.seq])[0] ?? assert.fail();
		const kept = house.store.paused.get(first.seq) ?? assert.fail();
		const shown = house.store.paused.getForm(first.token) ?? assert.fail();
		let last = 0;
		for (let i = 0; i < 1000; i++) {
			last = house.store.runs.start({
				id: `run-${i}`,
				taskId: `task-${i}`,
				agent,
				listed: false,
				workflowId: row.workflow_id,
				user: 'ana',
				inputs: '{}',
				createdAt: now,
			});
			const forms = [{ ...shown, token: `token-${i}` }];
			const done = { outputs: '{}', elapsedTime: 1, totalTokens: 0, totalSteps: 2, exceptionsCount: 0 };
			house.store.runs.pauseRun(last, { ...kept, ...done, taskId: `task-${i}`, forms }, []);
		}
		await house.close();
		// measuring time is unreliable on a busy machine, so assert that no saved state is read and no engine is created
		const store = new Store(folder, 0, log);
		assert.equal(store.interrupted, 0);
		assert.deepEqual(store.paused.findAnsweredRuns(), []);
		assert.deepEqual(store.paused.findExpiredForms(now), []);
		assert.equal(store.paused.countRuns(), 1001);
		await store.close();
		house = openGateway();
		house.forms.answerForm('token-999', undefined, { action: 'ok', inputs: { note: 'x' } });
		assert.equal((await getOutcome(last)).status, 'succeeded');
		assert.equal(house.store.paused.countRuns(), 1000);
	});

	it('stay paused if the gateway stops before their turn', async () => {
		const { seq, token } = await pauseRun(createFormAgent());
		const held = Array.from({ length: 10 }, () => house.slots.enqueueResumedRun());
		answerForm(token);
		while (house.slots.wanted < 11) {
			await new Promise(resolve => setTimeout(resolve, 5));
		}
		house.forms.stop();
		for (const slot of held) {
			slot[Symbol.dispose]();
		}
		await restartGateway();
		assert.equal((await getOutcome(seq)).status, 'succeeded');
	});

	it("don't block others, however long their forms may wait", async () => {
		for (const timeout of [1_000_000_000, 9_007_199_254_740_991, 0.0001]) {
			const odd = await pauseRun(createFormAgent({ timeout, timeout_unit: 'day' }));
			const { expiration_time } = timeout > 1 ? house.forms.getForm(odd.token, undefined) : { expiration_time: 1 };
			assert.ok(Number.isSafeInteger(Number(expiration_time) * 1000));
		}
		const { seq, token } = await pauseRun(createFormAgent());
		await restartGateway();
		answerForm(token);
		assert.equal((await getOutcome(seq)).status, 'succeeded');
	});

	describe('with secrets provided by a client', () => {
		let files: string;
		let file: string;
		beforeEach(() => {
			files = fs.mkdtempSync(path.join(os.tmpdir(), 'paused-agents-'));
			file = path.join(files, 'secret.yml');
			const source = createGraphFile(
				'workflow',
				{
					start: startData,
					ask: createFormNode(),
					tell: {
						// not a code node, because its threads would outlive the test
						type: 'template-transform',
						template: '{{ k | length }}',
						variables: [{ variable: 'k', value_selector: ['env', 'KEY'] }],
					},
					end: { type: 'end', outputs: [{ variable: 'n', value_selector: ['tell', 'output'] }] },
				},
				['start > ask', 'ask [ok] > tell', 'tell > end'],
				{ environment_variables: [{ id: 'k', name: 'KEY', value_type: 'secret', value: '' }] },
			);
			fs.writeFileSync(file, source);
		});
		afterEach(() => fs.rmSync(files, { recursive: true }));

		async function startRun(values: Readonly<Record<string, string>>): Promise<{ readonly seq: number; readonly token: string }> {
			await house.agents.addFolder(files);
			await house.agents.setSecrets('secret', file, values);
			const target = await house.agents.getPublishedVersion('secret');
			using prepared = await house.runs.prepareRun({ target, inputs: { name: 'Ana' }, files: [], user: 'ana', mode: 'streaming' });
			const live = await prepared.start();
			assert.equal((await live.done).data.status, 'paused');
			return { seq: live.seq, token: getWaitingToken(live.seq) };
		}
		const getWaitingToken = (seq: number) => JSON.parse(house.store.paused.get(seq)?.state ?? '{}').waiting[0].token as string;
		const getStatus = (seq: number) => house.store.runs.getRows([seq])[0]?.status;
		/** Resolves once all pending work is done. */
		const waitUntilSettled = async () => {
			await new Promise(resolve => setTimeout(resolve, 10));
			await new Promise(resolve => setImmediate(resolve));
		};

		it('wait for the secrets after a restart, and resume with them', async () => {
			const { seq, token } = await startRun({ KEY: 'twelve chars' });
			await restartGateway();
			await house.agents.addFolder(files);
			answerForm(token);
			await waitUntilSettled();
			assert.equal(getStatus(seq), 'paused');
			await restartGateway();
			await house.agents.addFolder(files);
			await waitUntilSettled();
			assert.equal(getStatus(seq), 'paused');
			assert.match(house.store.runs.getRows([seq])[0]?.error ?? '', /^The secret 'KEY' of the agent 'secret' .* Provide it again/);
			await house.agents.setSecrets('secret', file, {});
			await waitUntilSettled();
			assert.equal(getStatus(seq), 'paused');
			await house.agents.setSecrets('secret', file, { KEY: 'twelve chars' });
			assert.deepEqual(await getOutcome(seq), { status: 'succeeded', error: null, outputs: { n: '12' } });
		});

		it("fail with a message if the secrets aren't provided for as long as a form may wait", async () => {
			const { seq, token } = await startRun({ KEY: 'twelve chars' });
			await restartGateway();
			answerForm(token);
			await waitUntilSettled();
			now += 15 * day;
			await restartGateway();
			const { status, error } = await getOutcome(seq);
			assert.equal(status, 'failed');
			assert.match(error ?? '', /^The secret 'KEY' of the agent 'secret' no longer has a value\. /);
		});

		it('resume without secrets that had no value at the start', async () => {
			const { seq, token } = await startRun({});
			await restartGateway();
			answerForm(token);
			assert.deepEqual((await getOutcome(seq)).outputs, { n: '0' });
		});
	});

	describe('after nodes that handled secrets', () => {
		let files: string;
		let file: string;
		beforeEach(() => {
			files = fs.mkdtempSync(path.join(os.tmpdir(), 'paused-agents-'));
			file = path.join(files, 'secret.yml');
			const source = createGraphFile(
				'workflow',
				{
					start: startData,
					make: {
						type: 'template-transform',
						template: 'Bearer {{ k }} of {{ name }}',
						variables: [
							{ variable: 'k', value_selector: ['env', 'KEY'] },
							{ variable: 'name', value_selector: ['start', 'name'] },
						],
					},
					ask: createFormNode(),
					end: { type: 'end', outputs: [{ variable: 'made', value_selector: ['make', 'output'] }] },
				},
				['start > make', 'make > ask', 'ask [ok] > end'],
				{ environment_variables: [{ id: 'k', name: 'KEY', value_type: 'secret', value: '' }] },
			);
			fs.writeFileSync(file, source);
		});
		afterEach(() => fs.rmSync(files, { recursive: true }));

		/** Starts a run, and answers its form in another process that has this secret. */
		async function runWithSecret(before: string, after: string, name = 'Ana'): Promise<unknown> {
			await house.agents.addFolder(files);
			await house.agents.setSecrets('secret', file, { KEY: before });
			const target = await house.agents.getPublishedVersion('secret');
			using prepared = await house.runs.prepareRun({ target, inputs: { name }, files: [], user: 'ana', mode: 'streaming' });
			const live = await prepared.start();
			assert.equal((await live.done).data.status, 'paused');
			const { token } = JSON.parse(house.store.paused.get(live.seq)?.state ?? '{}').waiting[0];
			const kept = Buffer.concat(['gateway.db', 'gateway.db-wal'].map(name => fs.readFileSync(path.join(folder, name))));
			assert.equal(kept.includes(before), before.length < 4);
			await restartGateway();
			await house.agents.addFolder(files);
			await house.agents.setSecrets('secret', file, { KEY: after });
			answerForm(token);
			return ((await getOutcome(live.seq)).outputs as { made: string }).made;
		}

		it('are stored without them, and resume with them', async () => {
			assert.equal(await runWithSecret('twelve chars', 'twelve chars'), 'Bearer twelve chars of Ana');
		});

		it('resume with the current value of the secret', async () => {
			assert.equal(await runWithSecret('twelve chars', 'a new secret'), 'Bearer a new secret of Ana');
		});

		it("keep a caller's text unchanged even if it looks like a placeholder", async () => {
			assert.equal(await runWithSecret('twelve chars', 'a new secret', '⟦0 KEY⟧ ***'), 'Bearer a new secret of ⟦0 KEY⟧ ***');
		});

		it('keep secrets that are too short to be masked', async () => {
			assert.equal(await runWithSecret('abc', 'abcd'), 'Bearer abc of Ana');
		});
	});

	it("fail with a message if their agent can't be read any more", async () => {
		const { seq, token } = await pauseRun(createFormAgent());
		house.agents.getStartedVersion = () => Promise.reject(new Error('odd'));
		answerForm(token);
		assert.equal((await getOutcome(seq)).status, 'failed');
	});
});
