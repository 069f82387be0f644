import { runCrashRounds } from '../../contract/gateway/crashRounds.ts';
import { cleanUpGateways } from '../../contract/gateway/gatewayProcess.ts';
import type { Measure } from '../harness/table.ts';

/** Counts the runs that were reported as finished and then lost by `kill -9`. */
export const killed: Measure = {
	name: 'killed',
	measure: 'finished runs lost in 20 kills under load',
	unit: 'runs',
	limits: { lost: { most: 0 }, finished: { least: 1 } },
	async run(inRounds) {
		try {
			return await inRounds({ warmUp: 0, rounds: 1 }, async () => {
				const { begun, finished, interrupted, unseen, lost } = await runCrashRounds(20);
				return { values: { lost, finished }, costs: { begun, 'finished untold': unseen, interrupted } };
			});
		} finally {
			await cleanUpGateways();
		}
	},
};
