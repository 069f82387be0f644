import { codeCall } from './engine/codeNode.ts';
import { eventLoop } from './engine/eventLoop.ts';
import { nodeCost } from './engine/nodeCost.ts';
import { replayCost } from './engine/replayCost.ts';
import { closeRunners } from './engine/runner.ts';
import { shortRuns, stopGateway } from './engine/shortRuns.ts';
import { stepBack } from './engine/stepBack.ts';
import type { BenchTable } from './harness/table.ts';

/** The budget table "Engine". */
export const table: BenchTable = {
	name: 'engine',
	measures: [nodeCost, shortRuns, codeCall, eventLoop, replayCost, stepBack],
	async close() {
		await closeRunners();
		await stopGateway();
	},
};
