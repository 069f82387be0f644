import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { isRunActive, isRunFinished } from '#runs/runStatus.ts';
import { WindowUnderTest } from '../../support/editor/windowUnderTest.ts';
import { EventWriter, play, sendJson } from '../../support/services/faultService.ts';
import { waitUntil } from '../../support/waitUntil.ts';

/** The windows have no open folder, so they share a data folder. */
describe('two windows with one data folder', () => {
	let first: WindowUnderTest;
	let second: WindowUnderTest;
	let stream: EventWriter | undefined;
	beforeEach(async () => {
		first = new WindowUnderTest();
		await first.start();
		first.service.behaviour.run = async response => {
			stream = new EventWriter(response);
			await stream.sendEvents(play.started, play.nodeStarted(1));
		};
		first.service.behaviour.detail = response => sendJson(response, play.detail('running', null));
	});
	afterEach(async () => {
		await second.dispose();
		await first.dispose();
	});
	const openSecondWindow = () => {
		second = new WindowUnderTest(undefined, [], first);
	};

	it('save their own runs, and show those of the other window with their results', async () => {
		void first.runFile();
		const { key } = await first.waitForRun(record => record.node !== undefined);
		openSecondWindow();
		await second.waitForRun(record => record.key === key && isRunActive(record));
		assert.deepEqual(
			first.service.requests.filter(request => request.includes('/workflows/run/')),
			[],
			'the other window looks up only its own runs',
		);
		first.service.behaviour.run = async response => {
			const other = new EventWriter(response);
			await other.sendEvents(play.started, play.finished('failed', null));
			other.endStream();
		};
		const own = await second.runFile();
		assert.equal(own?.status, 'failed');
		await stream?.sendEvents(play.finished('succeeded'));
		stream?.endStream();
		await second.waitForRun(() => second.records.get(key)?.status === 'succeeded');
		await first.waitForRun(() => first.records.get(own!.key)?.status === 'failed');
		first.reopenWindow();
		second.reopenWindow();
		for (const { records } of [first, second]) {
			assert.deepEqual(new Set(records.list().map(record => record.key)), new Set([key, own?.key]));
		}
	});

	it('delete the files of their own runs only', async () => {
		first.service.behaviour.run = async response => {
			const writer = new EventWriter(response);
			await writer.sendEvents(play.started, play.finished('succeeded'));
			writer.endStream();
		};
		const theirs = await first.runFile();
		openSecondWindow();
		// then the first window has saved the end of its run, and doesn't write its file again
		await second.waitForRun(record => record.key === theirs?.key && isRunFinished(record));
		const own = await second.runFile();
		const removed = new Promise(resolve => second.records.onDidRemove(resolve));
		fs.rmSync(path.join(first.folder, 'history', `${first.windows.name}.json`));
		assert.deepEqual(await removed, [theirs?.key]);
		second.records.removeRuns([own!.key]);
		const journals = path.join(first.folder, 'runs');
		await waitUntil('the journal to be deleted', () => !fs.existsSync(path.join(journals, `${own?.key}.ndjson`)));
		assert.deepEqual(fs.readdirSync(journals), [`${theirs?.key}.ndjson`]);
	});

	it('stop runs of the other window at the service', async () => {
		void first.runFile();
		await first.waitForRun(record => record.node !== undefined);
		openSecondWindow();
		await second.waitForRun(record => record.taskId !== undefined);
		first.service.behaviour.stop = response => {
			sendJson(response, { result: 'success' });
			void stream?.sendEvents(play.finished('stopped', null));
		};
		await second.stop();
		await second.waitForRun(record => record.status === 'stopped');
		assert.equal(first.latest.status, 'stopped');
	});

	it('take over active runs when the other window closes', async () => {
		void first.runFile();
		const { key } = await first.waitForRun(record => record.node !== undefined);
		openSecondWindow();
		await second.waitForRun(isRunActive);
		first.service.behaviour.detail = response => sendJson(response, play.detail('succeeded', { text: 'meanwhile' }));
		first.closeWindow();
		const record = await second.waitForRun(isRunFinished);
		assert.equal(record.key, key);
		assert.deepEqual(record.outputs, { text: 'meanwhile' });
	});
});
