import assert from 'node:assert/strict';
import path from 'node:path';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { FromReview, FromReviewHost, ReviewedOutput, ReviewState } from '#pages/review/reviewMessages.ts';
import { getReviewStrings } from '#pages/review/reviewStrings.ts';
import { type PageWindow, runPage } from '../graph/nodeForm/pageBundle.ts';

const strings = getReviewStrings({ t: fillPlaceholders });
const outputs = ['a', 'b'].map((id): ReviewedOutput => {
	const text = `<img src=x onerror=alert(1)> \u202e [x](command:evil) ${id}`;
	return { id, name: text, judge: text, rubric: text, inputs: text, output: text, note: '' };
});

describe('the review page', () => {
	let loaded: PageWindow<{ ReviewPage: new (root: HTMLElement) => { start(): void } }>;
	let sent: FromReview[];
	let kept: Record<string, unknown>;

	beforeEach(async function () {
		// bundles the page
		this.timeout(60_000);
		loaded = await runPage(path.resolve(import.meta.dirname, '../../../../src/pages/review/reviewPage.ts'));
		sent = [];
		kept = {};
	});
	afterEach(() => loaded.window.close());

	const createState = (place: number, more: Partial<ReviewedOutput> = {}): ReviewState => ({
		place,
		count: 2,
		labeled: 0,
		shown: { ...outputs[place]!, ...more },
		by: 'ana',
		judges: [],
		canJudgeAgain: true,
	});
	function sendMessage(message: FromReviewHost): void {
		loaded.window.dispatchEvent(new loaded.window.MessageEvent('message', { data: structuredClone(message) }));
	}
	/** Opens a page, as after a reload. It gets the state that the page before saved. */
	async function openPage(place: number): Promise<void> {
		if (Object.keys(kept).length > 0) {
			loaded.window.close();
			loaded = await runPage(path.resolve(import.meta.dirname, '../../../../src/pages/review/reviewPage.ts'));
		}
		Object.assign(loaded.window, {
			acquireVsCodeApi: () => ({
				// objects of another window have other prototypes
				postMessage: (message: FromReview) => sent.push(structuredClone(message)),
				getState: () => kept,
				setState: (saved: Record<string, unknown>) => (kept = JSON.parse(JSON.stringify(saved)) as typeof kept),
			}),
		});
		loaded.window.Element.prototype.scrollTo ??= () => {};
		new loaded.exports.ReviewPage(loaded.window.document.body).start();
		sendMessage({ type: 'snapshot', kept: { suite: 's', batch: 'b' }, name: 'one', strings, state: createState(place) });
	}
	const getNote = () => loaded.window.document.querySelector<HTMLTextAreaElement>('#note')!;
	function typeNote(text: string): void {
		getNote().value = text;
		getNote().dispatchEvent(new loaded.window.Event('input'));
	}
	const pressKey = (key: string) => loaded.window.dispatchEvent(new loaded.window.KeyboardEvent('keydown', { key, bubbles: true }));

	it('keeps a note that belongs to no label yet, at other outputs and after a reload', async () => {
		await openPage(0);
		typeNote('too short');
		sendMessage({ type: 'state', batch: 'b', state: createState(1) });
		assert.equal(getNote().value, '');
		typeNote('rude');
		sendMessage({ type: 'state', batch: 'b', state: createState(0) });
		assert.equal(getNote().value, 'too short');
		await openPage(1);
		assert.equal(getNote().value, 'rude');
		pressKey('2');
		assert.deepEqual(sent.at(-1), { type: 'label', id: 'b', label: 'fail', note: 'rude' });
		sendMessage({ type: 'state', batch: 'b', state: createState(1, { label: 'fail', note: 'rude' }) });
		assert.deepEqual(kept['drafts'], { a: 'too short' });
	}).timeout(60_000);

	it('shows hostile texts as text', async () => {
		await openPage(0);
		const { body } = loaded.window.document;
		assert.equal(body.querySelectorAll('img, a, script').length, 0);
		assert.match(body.textContent ?? '', /<img src=x onerror=alert\(1\)>/);
	});
});
