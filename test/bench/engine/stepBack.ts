import { openDebugSession } from '../../contract/gateway/debugClient.ts';
import { startGateway } from '../../contract/gateway/gatewayProcess.ts';
import { computeQuantile, sampleCosts } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { createTemplateChain } from './agents.ts';

const nodes = 1000;
const rounds = 5;
/** Number of steps per round. Their 95th percentile counts. */
const steps = 40;

/**
 * Steps back through a run of the real gateway, from its end, each time until the debugger has received the stop. The floor is a command
 * that does nothing, in the same session.
 */
export const stepBack: Measure = {
	name: 'step-back',
	measure: `added time of a step back in a run with ${nodes} nodes, p95 of ${steps}, over a command that does nothing`,
	unit: 'ms',
	limits: { ping: { most: 50 } },
	async run(inRounds) {
		const gateway = await startGateway({ agents: { chain: createTemplateChain(nodes) }, config: { engine: { max_steps: 2 * nodes } } });
		const body = { model: 'chain', inputs: {}, user: 'bench', response_mode: 'streaming', breakpoints: [{ id: 'end', node: 'end' }] };
		const client = await openDebugSession(gateway, body);
		let { branch } = await client.waitForStop();
		const measureCommand = async (command: object, isMove: boolean) => {
			const began = performance.now();
			const { status, text } = await client.sendCommand(command);
			if (status !== 200) {
				throw new Error(`the command was refused: ${text}`);
			}
			if (isMove) {
				({ branch } = await client.waitForStop());
			}
			return performance.now() - began;
		};
		const series = await inRounds({ warmUp: 1, rounds }, async () => {
			const costs = await sampleCosts(
				{
					ping: () => measureCommand({ command: 'ping' }, false),
					back: () => measureCommand({ command: 'step_back', branch }, true),
				},
				steps,
			);
			await measureCommand({ command: 'present' }, true);
			const [back, ping] = [costs.back, costs.ping].map(each => computeQuantile(each, 0.95)) as [number, number];
			return { values: { ping: back - ping }, costs: { back, ping } };
		});
		await client.stream.cancel();
		await gateway.endProcess();
		return series;
	},
};
