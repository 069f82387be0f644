import assert from 'node:assert/strict';
import path from 'node:path';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { type FromResults, type FromResultsHost, firstListing, type ResultsState } from '#pages/results/resultsMessages.ts';
import { getResultsStrings } from '#pages/results/resultsStrings.ts';
import { type PageWindow, runPage } from '../graph/nodeForm/pageBundle.ts';

const strings = getResultsStrings({ t: fillPlaceholders });

describe('the results page', () => {
	let loaded: PageWindow<{ ResultsPage: new (root: HTMLElement) => { start(): void } }>;
	let sent: FromResults[];

	beforeEach(async function () {
		// bundles the page
		this.timeout(60_000);
		loaded = await runPage(path.resolve(import.meta.dirname, '../../../../src/pages/results/resultsPage.ts'));
		sent = [];
		const { window } = loaded;
		Object.assign(window, {
			acquireVsCodeApi: () => ({
				postMessage: (message: FromResults) => sent.push(structuredClone(message)),
				getState: () => undefined,
				setState: () => {},
			}),
			ResizeObserver: class {
				observe(): void {}
			},
		});
		new loaded.exports.ResultsPage(window.document.body).start();
	});
	afterEach(() => loaded.window.close());

	const state: ResultsState = {
		view: 'results',
		listing: firstListing,
		generation: 1,
		count: 1,
		results: 1,
		passed: 1,
		failed: 0,
		notRun: 0,
		batches: [],
		batch: 'one.jsonl',
		reading: false,
		resumable: false,
		isWhole: true,
		hasVariants: false,
		hasJudges: false,
	};
	function sendMessage(message: FromResultsHost): void {
		loaded.window.dispatchEvent(new loaded.window.MessageEvent('message', { data: structuredClone(message) }));
	}
	const clickButton = (title: string) =>
		[...loaded.window.document.querySelectorAll('button')].find(button => button.title === title)?.click();

	it('names the batch that it shows in requests about results, but not in those that start a batch', () => {
		sendMessage({ type: 'snapshot', suite: 's', name: 'a', state, strings, widths: {} });
		sent = [];
		clickButton(strings.pin);
		clickButton(strings.run);
		assert.deepEqual(
			sent.filter(({ type }) => type === 'command'),
			[
				{ type: 'command', command: 'pin', batch: 'one.jsonl' },
				{ type: 'command', command: 'run' },
			],
		);
	});
});
