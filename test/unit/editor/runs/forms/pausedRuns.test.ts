import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { PausedRunWatch } from '#editor/runs/forms/pausedRuns.ts';

describe('paused runs of this window', () => {
	const record = { key: 'k', connectionId: 'c', runId: 'r', agent: 'approve', status: 'paused' };

	/** Watches one paused run, whose service returns `getRun`. Resolves with the first thing that is done about it. */
	const watchRun = async (getRun: () => unknown): Promise<unknown> => {
		const { promise, resolve } = Promise.withResolvers<unknown>();
		const parts = {
			connections: { get: () => ({}) },
			services: { getService: async () => ({ getRun: async () => getRun() }) },
			records: {
				list: () => [record],
				isOwnRun: () => true,
				onDidChange: new vscode.EventEmitter().event,
				onDidTakeOver: new vscode.EventEmitter().event,
				updateRun: (key: string, { status }: { status: string }) => resolve([key, status]),
			},
			onContinued: resolve,
			log: { debug() {}, warn: assert.fail },
		};
		const watch = new PausedRunWatch(parts as never);
		try {
			return await promise;
		} finally {
			watch.dispose();
		}
	};

	it('are followed again once they were answered elsewhere', async () => {
		assert.equal(await watchRun(() => ({ status: 'succeeded' })), 'k');
	});

	it("are marked as lost if the service doesn't have them any more", async () => {
		const missing = Object.assign(new Error('There is no such run.'), { reason: 'not-found' });
		assert.deepEqual(
			await watchRun(() => {
				throw missing;
			}),
			['k', 'lost'],
		);
	});
});
