import { cleanUpGateways, type GatewayProcess, startGateway } from '../../contract/gateway/gatewayProcess.ts';
import { computeQuantile, measureWallMs, sampleCosts } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { createCountingAgent, oneNodeAgent, templateAgent } from './fairnessAgents.ts';

/** Number of requests of each kind per round: enough that the 99th percentile isn't the maximum. */
const samples = 400;
const loopRounds = 300_000;
/** Number of runs whose inputs are indexed for the search, and number of characters in each input. */
const indexed = { runs: 30, characters: 250_000 };

/**
 * Measures how much a looping run, an indexing store and a large template slow down other requests, compared with an idle gateway at the
 * same time. Alternates between the two gateways, so that a busy machine affects both equally.
 */
export const fairness: Measure = {
	name: 'fairness',
	measure: `p99 of /healthz and of a one-node run over idle, while one run loops ${loopRounds} times, another indexes ${indexed.runs} × 250 KB, and a third renders a 400 KB template`,
	unit: 'ms',
	limits: { '/healthz': { most: 20 }, 'one-node run': { most: 20 } },
	async run(inRounds) {
		const [busy, idle] = [await startAgentsGateway(), await startAgentsGateway()];
		await sampleResponseTimes(busy, idle, 50);
		const meanwhile = { loops: 0, templates: 0, failed: 0 };
		const series = await inRounds({ warmUp: 0, rounds: 3 }, async () => {
			const load = startBackgroundLoad(busy);
			const times = await sampleResponseTimes(busy, idle, samples);
			const ended = await load.stop();
			for (const name of ['loops', 'templates', 'failed'] as const) {
				meanwhile[name] += ended[name];
			}
			const costs = computeAllP99s(times);
			return {
				values: { '/healthz': costs.busyHealth - costs.idleHealth, 'one-node run': costs.busyRun - costs.idleRun },
				costs,
			};
		});
		const { loops, templates, failed } = meanwhile;
		return { ...series, notes: [`meanwhile ${loops} loops and ${templates} templates finished, and ${failed} timed out`] };
	},
};

/** Stops the gateways of the measure. */
export async function stopFairnessGateways(): Promise<void> {
	await Promise.all(gateways.splice(0).map(gateway => gateway.endProcess()));
	await cleanUpGateways();
}

const gateways: GatewayProcess[] = [];

async function startAgentsGateway(): Promise<GatewayProcess> {
	const gateway = await startGateway({
		agents: { loop: createCountingAgent(loopRounds), template: templateAgent, one: oneNodeAgent },
		config: { engine: { max_steps: 10 * loopRounds } },
	});
	gateways.push(gateway);
	return gateway;
}

/** Runs an agent to its end; returns true if it succeeded. */
async function runAgent(to: GatewayProcess, model: string, inputs: object = {}): Promise<boolean> {
	const { json, text } = await to.send('POST', '/v1/agent/workflows/run', { model, inputs, response_mode: 'blocking', user: 'bench' });
	if (json?.data === undefined) {
		throw new Error(`the run of ${model} did not start: ${text.slice(0, 500)}`);
	}
	return json.data.status === 'succeeded';
}

type Times = Awaited<ReturnType<typeof sampleResponseTimes>>;

/** Alternates between both gateways, and returns the milliseconds of their health checks and one-node runs. */
function sampleResponseTimes(busy: GatewayProcess, idle: GatewayProcess, count: number) {
	const measureHealthCheck = (of: GatewayProcess) => () =>
		measureWallMs(async () => (await fetch(new URL('/healthz', of.baseUrl))).arrayBuffer());
	const measureOneNodeRun = (of: GatewayProcess) => () => measureWallMs(() => runAgent(of, 'one', { text: 'a' }));
	return sampleCosts(
		{
			busyHealth: measureHealthCheck(busy),
			idleHealth: measureHealthCheck(idle),
			busyRun: measureOneNodeRun(busy),
			idleRun: measureOneNodeRun(idle),
		},
		count,
	);
}

function computeAllP99s(times: Times): Record<keyof Times, number> {
	const computeP99 = (name: keyof Times) => computeQuantile(times[name], 0.99);
	return {
		busyHealth: computeP99('busyHealth'),
		idleHealth: computeP99('idleHealth'),
		busyRun: computeP99('busyRun'),
		idleRun: computeP99('idleRun'),
	};
}

interface Ended {
	readonly loops: number;
	readonly templates: number;
	/** Number of failed templates: on a busy machine a template can reach its limit of two seconds. */
	readonly failed: number;
}

/** Keeps a loop and a template running, and writes runs to be indexed. */
function startBackgroundLoad(on: GatewayProcess): { stop(): Promise<Ended> } {
	const ended = { loops: 0, templates: 0, failed: 0 };
	let going = true;
	const repeatAgentRuns = async (model: string, kind: 'loops' | 'templates') => {
		while (going) {
			ended[(await runAgent(on, model)) ? kind : 'failed']++;
		}
	};
	const text = 'lorem ipsum dolor sit amet '.repeat(indexed.characters / 27);
	const work = [
		repeatAgentRuns('loop', 'loops'),
		repeatAgentRuns('template', 'templates'),
		...Array.from({ length: indexed.runs }, () => runAgent(on, 'one', { text })),
	];
	return {
		async stop() {
			going = false;
			await Promise.all(work);
			return ended;
		},
	};
}
