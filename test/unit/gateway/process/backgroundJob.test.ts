import assert from 'node:assert/strict';
import { BackgroundJob } from '#gateway/process/backgroundJob.ts';
import { Log } from '#gateway/process/log.ts';

describe('a background job', () => {
	it('survives errors in its work, logs the first one, and logs the recovery', async () => {
		let lines = '';
		const log = new Log('text', text => {
			lines += text;
		});
		const { promise: recovered, resolve } = Promise.withResolvers<void>();
		let tries = 0;
		const job = new BackgroundJob(
			'counting sheep',
			() => {
				tries++;
				if (tries < 3) {
					throw new Error('no sheep');
				}
				resolve();
				return undefined;
			},
			log,
		);
		job.scheduleStep();
		await recovered;
		log.flushLines();
		assert.equal(lines.match(/counting sheep failed and will be retried/g)?.length, 1, lines);
		assert.match(lines, /counting sheep recovered failures=2/);
		assert.equal(job.failing, false);
	});

	it('does one step at a time, and then what was requested meanwhile', async () => {
		const pieces: PromiseWithResolvers<undefined>[] = [];
		const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		const job = new BackgroundJob(
			'waiting',
			() => {
				const piece = Promise.withResolvers<undefined>();
				begun[pieces.length]?.resolve();
				pieces.push(piece);
				return piece.promise;
			},
			new Log('text', () => {}),
		);
		job.run();
		job.run();
		job.scheduleStep();
		assert.equal(pieces.length, 1);
		pieces[0]?.resolve(undefined);
		await begun[1]?.promise;
		job.stop();
		pieces[1]?.resolve(undefined);
		job.scheduleStep();
		job.run();
		assert.equal(pieces.length, 2);
	});
});
