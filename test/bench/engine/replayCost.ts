import type { Mocks } from '../../../src/contract/mocks.ts';
import type { OpenedRecording, TakenCalls } from '../../../src/contract/recordings/recordings.ts';
import { updateRecordingText } from '../../../src/runs/recordings/recordingFile.ts';
import { startGateway } from '../../contract/gateway/gatewayProcess.ts';
import { sampleMedians } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { createModelChain } from './agents.ts';
import { createCaller, runToEnd } from './gatewayRuns.ts';

const modelNodes = 3;
/** Number of rounds, and of cases per round. The median of a round counts. */
const rounds = 10;
const cases = 300;

/**
 * Replays the cases of a recording on the real gateway, one after another, so that each run uses entries that no other run has used. The
 * floor is the same run with the offline model, a mock of the model: its nodes run, fill their prompts and stream a reply, as they do in a
 * replay. The cost of a run with mocks of its nodes is beside it: such nodes don't run at all.
 */
export const replayCost: Measure = {
	name: 'replay',
	measure: `added cost of replaying a run with 5 nodes, of which ${modelNodes} call models, p50 of ${rounds * cases}, over the same run with the offline model`,
	unit: '×',
	costUnit: 'ms',
	limits: { replayed: { most: 0.1 } },
	async run(inRounds) {
		const gateway = await startGateway({ agents: { chain: createModelChain(modelNodes) } });
		const caller = createCaller(gateway);
		const run = (more: object) => runToEnd(caller, { model: 'chain', inputs: {}, response_mode: 'streaming', user: 'bench', ...more });
		const open = async (mode: string, text: string) =>
			(JSON.parse((await caller.sendRequest('POST', '/v1/agent/recordings', { mode, text })).text) as OpenedRecording).id;
		const createUse = (id: string, at: number) => ({ recording: { id, case: `case ${at}` } });

		const recorded = await open('all', '');
		const texts = new Set<string>();
		for (let at = 0; at < cases; at++) {
			texts.add((await run(createUse(recorded, at))).answer);
		}
		const { text: taken } = await caller.sendRequest('POST', `/v1/agent/recordings/${recorded}/take`, {});
		const { calls } = JSON.parse(taken) as TakenCalls;
		const { text: file } = updateRecordingText('', { calls, used: new Set(), renewed: [], creator: 'bench' });
		const [text = ''] = texts;
		const mock = { outputs: { text, reasoning_content: '', usage: {} } };
		const mocks: Mocks = Object.fromEntries(Array.from({ length: modelNodes }, (_, index) => [`m${index}`, mock]));

		const series = await inRounds({ warmUp: 2, rounds }, async () => {
			const id = await open('none', file);
			let at = 0;
			const costs = await sampleMedians(
				{
					offline: async () => (await run({})).ms,
					mocked: async () => (await run({ mocks })).ms,
					replayed: async () => (await run(createUse(id, at++))).ms,
				},
				cases,
			);
			await caller.sendRequest('DELETE', `/v1/agent/recordings/${id}`);
			return { values: { replayed: (costs.replayed - costs.offline) / costs.offline }, costs };
		});
		caller.close();
		await gateway.endProcess();
		return series;
	},
};
