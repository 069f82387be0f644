import assert from 'node:assert/strict';
import path from 'node:path';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import { ReviewPanel, type ReviewPanelParts } from '#editor/suites/review/reviewPanel.ts';
import { ReviewSession } from '#editor/suites/review/reviewSession.ts';
import { RecordedLog } from '../../../../support/editor/connectionsUnderTest.ts';
import { PlayedPanel } from '../../../../support/editor/playedPanel.ts';

const suite = { file: '/w/a.suite.json', root: '/w' };
const files = ['c', 'b', 'a'].map(name => `/results/${name}.jsonl`);

describe('the host of a review page', () => {
	let held: Map<string, Promise<void>>;
	let opened: PromiseWithResolvers<void>;
	let played: PlayedPanel;
	let panel: ReviewPanel;
	let reads: number;
	beforeEach(() => {
		reads = 0;
		held = new Map();
		opened = Promise.withResolvers();
		mock.method(ReviewSession, 'openSession', async (_suite: unknown, file: string) => {
			opened.resolve();
			await held.get(path.basename(file));
			const shown = { id: file, name: file, judge: '', rubric: '', inputs: '', output: '', note: '' };
			return { file, count: 1, hasVariants: false, createState: () => ({ place: 0, count: 1, labeled: 0, by: '', judges: [], shown }) };
		});
		played = new PlayedPanel();
		const parts = {
			files: { readSuite: async () => ({ suite }), readSuiteForDisplay: async () => ({ suite, read: reads++ }) },
			store: { listFiles: async () => files },
			log: new RecordedLog().channel,
		} as unknown as ReviewPanelParts;
		panel = new ReviewPanel(played.panel, { suite: vscode.Uri.file(suite.file).toString(), batch: 'c.jsonl' }, parts);
	});
	afterEach(() => {
		panel.dispose();
		mock.restoreAll();
	});

	it('shows the batch that was chosen last, although another one takes longer to read', async () => {
		await played.requestSnapshot();
		const reading = Promise.withResolvers<void>();
		held.set('a.jsonl', reading.promise);
		opened = Promise.withResolvers();
		const first = panel.showBatch('a.jsonl');
		await opened.promise;
		const second = panel.showBatch('b.jsonl');
		await Promise.race([second, new Promise(resolve => setImmediate(resolve))]);
		assert.equal(reads, 2, 'the second batch is read after the first');
		reading.resolve();
		await Promise.all([first, second]);
		const last = played.messages.at(-1) as unknown as { kept: { batch: string }; state: { shown: { name: string } } };
		assert.deepEqual([last.kept.batch, last.state.shown.name], ['b.jsonl', '/results/b.jsonl']);
	});
});
