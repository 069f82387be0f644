import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { createEchoAgent, createWaitingAgent } from '../../contract/gateway/agents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from '../../contract/gateway/gatewayProcess.ts';
import { computeMedian, computeQuantile, measureWallMs } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';

/** Number of runs and of connections that are held at once. */
const held = 500;
/** Number of short runs, and how many of them run at once. */
const runs = 2_000;
const concurrency = 16;

/**
 * Measures what one gateway process holds: the memory of runs that wait for their models and of idle connections, what others notice of
 * them, and the processor time of a run. Reads the processor time of the process from Linux's /proc.
 */
export const gatewayCapacity: Measure = {
	name: 'gateway',
	measure: `memory of ${held} waiting runs and of ${held} idle connections; processor time of a run of 5 nodes`,
	unit: 'MB',
	limits: {
		'waiting runs': { most: 150 },
		'idle connections': { most: 40 },
		'processor time': { most: 20, unit: 'ms' },
		'health check, p99': { most: 200, unit: 'ms' },
	},
	async run(inRounds) {
		const rates: number[] = [];
		const series = await inRounds({ warmUp: 0, rounds: 3 }, async () => {
			const gateway = await startGateway({
				agents: { waiter: createWaitingAgent(20, 750), echo: createEchoAgent(3) },
				flags: ['--max-concurrent-runs', String(held)],
			});
			try {
				await runEchoes(gateway, 200);
				const connections = await measureConnectionMegabytes(gateway);
				const processor = await measureProcessorMs(gateway);
				const waiting = await holdRuns(gateway);
				rates.push(processor.rate);
				return {
					values: {
						'waiting runs': waiting.megabytes,
						'idle connections': connections,
						'processor time': processor.perRun,
						'health check, p99': waiting.healthMs,
					},
					costs: { 'resident memory with all runs': waiting.resident },
				};
			} finally {
				await gateway.endProcess();
				await cleanUpGateways();
			}
		});
		return { ...series, notes: [`short runs: ${Math.round(computeMedian(rates))} a second, ${concurrency} at once`] };
	},
};

/** Returns the processor milliseconds per run, and the runs per second, of short runs. */
async function measureProcessorMs(gateway: GatewayProcess): Promise<{ readonly perRun: number; readonly rate: number }> {
	const before = readProcessorMs(gateway.pid);
	const ms = await measureWallMs(() => runEchoes(gateway, runs));
	return { perRun: (readProcessorMs(gateway.pid) - before) / runs, rate: (runs / ms) * 1000 };
}

/** Starts all runs that wait for the model, and measures while all of them wait. */
async function holdRuns(
	gateway: GatewayProcess,
): Promise<{ readonly megabytes: number; readonly resident: number; readonly healthMs: number }> {
	const before = readResidentMegabytes(gateway.pid);
	const streams = await Promise.all(
		Array.from({ length: held }, () =>
			gateway.openStream('/v1/agent/workflows/run', { model: 'waiter', inputs: {}, response_mode: 'streaming', user: 'bench' }),
		),
	);
	const times: number[] = [];
	for (let i = 0; i < 100; i++) {
		times.push(await measureWallMs(async () => (await fetch(new URL('/healthz', gateway.baseUrl))).arrayBuffer()));
	}
	const resident = readResidentMegabytes(gateway.pid);
	await Promise.all(streams.map(stream => stream.waitForEvent('workflow_finished')));
	return { megabytes: resident - before, resident, healthMs: computeQuantile(times, 0.99) };
}

async function measureConnectionMegabytes(gateway: GatewayProcess): Promise<number> {
	const { hostname, port } = new URL(gateway.baseUrl);
	const before = readResidentMegabytes(gateway.pid);
	const sockets = await Promise.all(
		Array.from({ length: held }, async () => {
			const socket = net.connect(Number(port), hostname);
			socket.write(`GET /healthz HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`);
			await once(socket, 'data');
			return socket;
		}),
	);
	const megabytes = readResidentMegabytes(gateway.pid) - before;
	for (const socket of sockets) {
		socket.destroy();
	}
	return megabytes;
}

/** Runs an agent of five nodes that passes on a text of 1 KB, several times at once. */
export async function runEchoes(gateway: GatewayProcess, count: number): Promise<void> {
	let left = count;
	const repeatRuns = async (): Promise<void> => {
		while (left-- > 0) {
			const output = `Run ${left}: ${'what a customer might ask about an order, '.repeat(24)}`;
			const body = { model: 'echo', inputs: { output }, response_mode: 'streaming', user: `user-${left % 100}` };
			const events = await (await gateway.openStream('/v1/agent/workflows/run', body)).readRemainingEvents();
			if (events.at(-1)?.['data'].status !== 'succeeded') {
				throw new Error(`the run did not succeed: ${JSON.stringify(events.at(-1))}`);
			}
		}
	};
	await Promise.all(Array.from({ length: concurrency }, repeatRuns));
}

/** Linux counts processor time in hundredths of a second. */
function readProcessorMs(pid: number): number {
	const [user, system] = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13);
	return (Number(user) + Number(system)) * 10;
}

function readResidentMegabytes(pid: number): number {
	return Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}
