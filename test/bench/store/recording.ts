import { loadAgent } from '../../../src/engine/agentFile/agentFile.ts';
import { Log } from '../../../src/gateway/process/log.ts';
import { createEngine } from '../../../src/gateway/runs/createEngine.ts';
import { RunRecorder } from '../../../src/gateway/runs/runRecorder.ts';
import { RunService } from '../../../src/gateway/runs/runService.ts';
import { RunSlots } from '../../../src/gateway/runs/runSlots.ts';
import { Store } from '../../../src/gateway/store/store.ts';
import { GatewayTextModels } from '../../../src/gateway/textGeneration/gatewayTextModels.ts';
import { TextGeneration } from '../../../src/gateway/textGeneration/textGeneration.ts';
import { RouteTable } from '../../../src/models/routeTable.ts';
import { createWaitingAgent } from '../../contract/gateway/agents.ts';
import { measureWallMs, runContest } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { makeStoreFolder } from './filledStore.ts';

const rate = 20_000;
/** Number of rows recorded in one batch. */
const rows = 100_000;
/** A node_finished event of medium size. */
const event = JSON.stringify({ event: 'node_finished', data: { inputs: { text: 'x'.repeat(500) }, outputs: { text: 'y'.repeat(500) } } });

/**
 * Measures how fast the recorder records the events of many runs. Also measures a run that waits for its model: alone (the floor), and
 * while 20,000 events of other runs are recorded per second in the same process.
 */
export const recording: Measure = {
	name: 'recording',
	measure: `node events of 1 KB recorded, rows per second; relative speed of a streaming run while ${rate} events a second are recorded`,
	unit: '×',
	costUnit: 'ms',
	limits: { recorded: { least: rate, unit: 'rows/s' }, 'own speed': { least: 0.95 } },
	async run(inRounds) {
		const log = createSilentLog();
		const store = new Store(makeStoreFolder(), 0, log);
		const recorder = new RunRecorder(store.runs, store.late, log);
		const generation = new TextGeneration(new RouteTable());
		const engine = createEngine({}, {}, new GatewayTextModels(generation), store.uploads);
		const runs = new RunService({ store, engine: async () => engine, slots: new RunSlots(10), recorder, log });
		const { workflow_id: workflowId } = store.agents.publishVersion('waiter', createWaitingAgent(), Date.now());
		const target = {
			row: store.agents.ensureAgent('waiter'),
			agent: loadAgent(createWaitingAgent(200, 2), 'waiter.yml'),
			workflowId,
			draft: false,
			source: null,
		};
		const measureModelRun = () =>
			measureWallMs(async () => {
				const prepared = await runs.prepareRun({ target, inputs: {}, files: [], user: 'bench', mode: 'streaming' });
				await (await prepared.start(() => {})).done;
			});
		let number = 0;
		const measureRunWhileRecording = async () => {
			const load = setInterval(() => {
				for (let i = 0; i < rate / 200; i++) {
					recorder.add({ run: 1_000_000, number: ++number, event });
				}
			}, 5);
			return measureModelRun().finally(() => clearInterval(load));
		};
		try {
			return await inRounds({ warmUp: 1, rounds: 7 }, async () => {
				const costs = await runContest({ alone: measureModelRun, loaded: measureRunWhileRecording });
				const ms = await measureWallMs(async () => recordAllEvents(recorder));
				return { values: { recorded: rows / (ms / 1000), 'own speed': costs.alone / costs.loaded }, costs };
			});
		} finally {
			await generation.close();
			await store.close();
		}
	},
};

function recordAllEvents(recorder: RunRecorder): void {
	for (let i = 0; i < rows; i++) {
		recorder.add({ run: 1 + (i % 20), number: Math.floor(i / 20) + 1, event });
	}
	recorder.flushEvents();
}

function createSilentLog(): Log {
	return new Log('json', () => {});
}
