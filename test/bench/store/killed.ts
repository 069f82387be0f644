import { crashRounds } from '../../contract/gateway/crashRounds.ts';
import { cleanUp } from '../../contract/gateway/gatewayProcess.ts';
import type { Measure } from '../harness/table.ts';

/** Runs whose end was told and which `kill -9` undid. */
export const killed: Measure = {
	name: 'killed',
	measure: 'finished runs lost in 20 kills under load',
	unit: 'runs',
	limit: 0,
	async run() {
		try {
			const { begun, finished, interrupted, unseen, lost } = await crashRounds(20);
			return {
				value: lost,
				ok: lost === 0 && finished > 0,
				notes: [`${begun} runs begun: ${finished} finished and told, ${unseen} finished untold, ${interrupted} interrupted`],
			};
		} finally {
			await cleanUp();
		}
	},
};
