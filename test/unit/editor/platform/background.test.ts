import assert from 'node:assert/strict';
import { runInBackground } from '#editor/platform/background.ts';

describe('background work', () => {
	it('is logged with its label if it fails, and causes no unhandled rejection', async () => {
		const lines: string[] = [];
		const log = { warn: (text: string) => void lines.push(`warn ${text}`), debug: (text: string) => void lines.push(`debug ${text}`) };
		const unhandled: unknown[] = [];
		const recordRejection = (error: unknown) => unhandled.push(error);
		process.on('unhandledRejection', recordRejection);
		runInBackground(Promise.reject(new Error('no disk')), log, 'Journals');
		runInBackground(Promise.reject(Object.assign(new Error('Canceled'), { name: 'Canceled' })), log, 'Lookup');
		runInBackground(Promise.resolve('fine'), log, 'Nothing');
		await new Promise(resolve => setTimeout(resolve));
		process.off('unhandledRejection', recordRejection);
		assert.deepEqual(lines, ['warn Journals: no disk', 'debug Lookup: Canceled']);
		assert.deepEqual(unhandled, []);
	});
});
