import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createChatAgent, createFailingAgent, createGreetingAgent, createWaitingAgent } from './agents.ts';
import { createAgentsFolder, createTemporaryFolder, type GatewayProcess, startGateway } from './gatewayProcess.ts';

/** Numbers of runs, summed over all rounds. */
export interface CrashCounts {
	readonly kills: number;
	/** Runs that a client saw start. */
	begun: number;
	/** Runs that a client saw finish. Each of them must be stored with the same status. */
	finished: number;
	/** Unfinished runs that the restarted gateway reports as interrupted. */
	interrupted: number;
	/** Runs that were stored as finished, but whose last event didn't reach their client. */
	unseen: number;
	/** Runs that a client saw finish, but that aren't stored as finished. */
	lost: number;
}

const models = ['greeter', 'quick', 'failer', 'slow'] as const;
const clients = 6;

/**
 * Kills a gateway at random moments while clients start runs and chats, restarts it on the same data folder, and compares the store with
 * the events that the clients received. Throws if a run is still "running" after a restart. Counts lost runs.
 */
export async function runCrashRounds(kills: number): Promise<CrashCounts> {
	const data = createTemporaryFolder();
	const agents = createAgentsFolder({
		greeter: createGreetingAgent(),
		quick: createWaitingAgent(3, 1),
		slow: createWaitingAgent(200, 20),
		failer: createFailingAgent(),
		chatter: createChatAgent(),
	});
	const counts: CrashCounts = { kills, begun: 0, finished: 0, interrupted: 0, unseen: 0, lost: 0 };
	const startCrashGateway = () => startGateway({ data, flags: ['--agents', agents] });
	let gateway = await startCrashGateway();
	for (let round = 0; round < kills; round++) {
		const runs = new Map<string, ReportedRun>();
		const loaded = gateway;
		const load = Array.from({ length: clients }, (_, i) => runClientUntilCrash(loaded, i, runs));
		const enough = Math.ceil(Math.random() * 40);
		for (const end = performance.now() + 20_000; countFinished(runs) < enough && performance.now() < end; ) {
			await sleep(Math.random() * 5);
		}
		await loaded.endProcess('SIGKILL');
		await Promise.all(load);
		gateway = await startCrashGateway();
		await compareRuns(gateway, runs, counts);
	}
	await gateway.endProcess('SIGKILL');
	return counts;
}

interface ReportedRun {
	readonly model: string;
	status: string | undefined;
}

function countFinished(runs: ReadonlyMap<string, ReportedRun>): number {
	return [...runs.values()].filter(({ status }) => status !== undefined).length;
}

/** Starts runs one after another until the gateway exits, and records their reported status. */
async function runClientUntilCrash(gateway: GatewayProcess, number: number, runs: Map<string, ReportedRun>): Promise<void> {
	try {
		for (let i = number; ; i++) {
			// the first client only starts runs that outlast the gateway
			const model = number === 0 ? 'slow' : (models[i % 3] as string);
			const inputs = model === 'greeter' ? { name: `client ${number}` } : {};
			if (i % 5 === 4) {
				await gateway.send('POST', '/v1/agent/chat-messages', {
					model: 'chatter',
					query: 'Hi',
					inputs: {},
					user: 'crash',
					response_mode: 'blocking',
				});
			}
			const stream = await gateway.openStream('/v1/agent/workflows/run', { model, inputs, user: 'crash', response_mode: 'streaming' });
			const { workflow_run_id: id } = await stream.waitForEvent('workflow_started');
			const run: ReportedRun = { model, status: undefined };
			runs.set(id, run);
			run.status = (await stream.waitForEvent('workflow_finished'))['data'].status;
		}
	} catch {
		// the gateway was killed
	}
}

async function compareRuns(gateway: GatewayProcess, runs: ReadonlyMap<string, ReportedRun>, counts: CrashCounts): Promise<void> {
	for (const [id, { model, status }] of runs) {
		counts.begun++;
		const { json } = await gateway.send('GET', `/v1/agent/workflows/run/${id}?model=${model}`);
		assert.notEqual(json.status, 'running', `run ${id} still runs`);
		const interrupted = /^interrupted/.test(json.error ?? '');
		counts.finished += status === undefined ? 0 : 1;
		counts.lost += status !== undefined && json.status !== status ? 1 : 0;
		counts.interrupted += interrupted ? 1 : 0;
		counts.unseen += status === undefined && !interrupted ? 1 : 0;
	}
	for (const model of models) {
		const all = (await gateway.send('GET', `/v1/agent/workflows/logs?model=${model}&limit=1`)).json.total;
		const byStatus = ['succeeded', 'failed', 'stopped'].map(
			async status => (await gateway.send('GET', `/v1/agent/workflows/logs?model=${model}&limit=1&status=${status}`)).json.total as number,
		);
		assert.equal(
			(await Promise.all(byStatus)).reduce((sum, count) => sum + count, 0),
			all,
			`${model}: a run has no final status`,
		);
	}
}
