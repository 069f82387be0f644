import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { chatter, failer, greeter, waiter } from './agents.ts';
import { agentsFolder, type GatewayProcess, startGateway, temporaryFolder } from './gatewayProcess.ts';

/** What became of the runs of all rounds. */
export interface CrashCounts {
	readonly kills: number;
	/** Runs that a client has seen begin. */
	begun: number;
	/** Runs whose last event a client has received: each must be in the store as it was told. */
	finished: number;
	/** Runs that had begun when the process was killed and were found as interrupted. */
	interrupted: number;
	/** Runs whose end was written, but did not reach their client any more. */
	unseen: number;
	/** Runs whose end was told and is not in the store. */
	lost: number;
}

const models = ['greeter', 'quick', 'failer', 'slow'] as const;
const clients = 6;

/**
 * Kills a gateway at random moments while clients start runs and chats, starts it again on the same data folder, and compares the store with what the
 * clients were told. Throws where a run is still "running" after a restart; counts those that were lost.
 */
export async function crashRounds(kills: number): Promise<CrashCounts> {
	const data = temporaryFolder();
	const agents = agentsFolder({ greeter: greeter(), quick: waiter(3, 1), slow: waiter(200, 20), failer: failer(), chatter: chatter() });
	const counts: CrashCounts = { kills, begun: 0, finished: 0, interrupted: 0, unseen: 0, lost: 0 };
	const start = () => startGateway({ data, flags: ['--agents', agents] });
	let gateway = await start();
	for (let round = 0; round < kills; round++) {
		const told = new Map<string, Told>();
		const loaded = gateway;
		const load = Array.from({ length: clients }, (_, i) => client(loaded, i, told));
		const enough = Math.ceil(Math.random() * 40);
		for (const end = performance.now() + 20_000; countFinished(told) < enough && performance.now() < end; ) {
			await sleep(Math.random() * 5);
		}
		await loaded.end('SIGKILL');
		await Promise.all(load);
		gateway = await start();
		await compare(gateway, told, counts);
	}
	await gateway.end('SIGKILL');
	return counts;
}

interface Told {
	readonly model: string;
	status: string | undefined;
}

function countFinished(told: ReadonlyMap<string, Told>): number {
	return [...told.values()].filter(({ status }) => status !== undefined).length;
}

/** Starts runs one after another until the gateway is gone, and notes what it is told of them. */
async function client(gateway: GatewayProcess, number: number, told: Map<string, Told>): Promise<void> {
	try {
		for (let i = number; ; i++) {
			// the first client keeps to runs that do not end before the kill
			const model = number === 0 ? 'slow' : (models[i % 3] as string);
			const inputs = model === 'greeter' ? { name: `client ${number}` } : {};
			if (i % 5 === 4) {
				await gateway.agent('POST', '/v1/agent/chat-messages', {
					model: 'chatter',
					query: 'Hi',
					inputs: {},
					user: 'crash',
					response_mode: 'blocking',
				});
			}
			const stream = await gateway.stream('/v1/agent/workflows/run', { model, inputs, user: 'crash', response_mode: 'streaming' });
			const { workflow_run_id: id } = await stream.next('workflow_started');
			const run: Told = { model, status: undefined };
			told.set(id, run);
			run.status = (await stream.next('workflow_finished'))['data'].status;
		}
	} catch {
		// the gateway is gone
	}
}

async function compare(gateway: GatewayProcess, told: ReadonlyMap<string, Told>, counts: CrashCounts): Promise<void> {
	for (const [id, { model, status }] of told) {
		counts.begun++;
		const { json } = await gateway.agent('GET', `/v1/agent/workflows/run/${id}?model=${model}`);
		assert.notEqual(json.status, 'running', `run ${id} still runs`);
		const interrupted = /^interrupted/.test(json.error ?? '');
		counts.finished += status === undefined ? 0 : 1;
		counts.lost += status !== undefined && json.status !== status ? 1 : 0;
		counts.interrupted += interrupted ? 1 : 0;
		counts.unseen += status === undefined && !interrupted ? 1 : 0;
	}
	for (const model of models) {
		const all = (await gateway.agent('GET', `/v1/agent/workflows/logs?model=${model}&limit=1`)).json.total;
		const byStatus = ['succeeded', 'failed', 'stopped'].map(
			async status => (await gateway.agent('GET', `/v1/agent/workflows/logs?model=${model}&limit=1&status=${status}`)).json.total as number,
		);
		assert.equal(
			(await Promise.all(byStatus)).reduce((sum, count) => sum + count, 0),
			all,
			`${model}: a run has no final status`,
		);
	}
}
