import assert from 'node:assert/strict';
import { runCrashRounds } from './crashRounds.ts';
import { cleanUpGateways } from './gatewayProcess.ts';

/** Number of kills, changed by an environment variable; twenty in `npm run bench -- store/killed`. */
const kills = Number(process.env['CRASH_KILLS'] ?? 8);

describe('the store after kill -9', () => {
	after(cleanUpGateways);

	it(`loses no finished run in ${kills} kills under load`, async function () {
		this.timeout(kills * 60_000);
		const counts = await runCrashRounds(kills);
		const { begun, finished, interrupted, unseen, lost } = counts;
		console.log(
			`      ${kills} kills, ${begun} runs started: ${finished} finished and reported, ${unseen} finished but not reported, ${interrupted} interrupted, ${lost} lost`,
		);
		assert.equal(lost, 0);
		assert.equal(begun, finished + interrupted + unseen);
		assert.ok(finished > 0 && interrupted > 0);
	});
});
