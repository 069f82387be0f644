import assert from 'node:assert/strict';
import path from 'node:path';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { FromInspector, FromInspectorHost, InspectorHead } from '#pages/inspector/inspectorMessages.ts';
import { getInspectorStrings } from '#pages/inspector/inspectorStrings.ts';
import type { TimelineRow } from '#runs/events/timeline.ts';
import type { TimelineMoment } from '#runs/events/timelineHistory.ts';
import { type PageWindow, runPage } from '../../graph/nodeForm/pageBundle.ts';

const strings = getInspectorStrings({ t: fillPlaceholders });
const createRow = (id: string, start: number, end?: number): TimelineRow => ({
	id,
	nodeId: id,
	kind: 'code',
	title: `<b>${id}</b>`,
	status: end === undefined ? 'running' : 'succeeded',
	start,
	...(end === undefined ? {} : { end }),
});
const moments: readonly TimelineMoment[] = [
	{ place: 1, at: 100, rows: [createRow('a', 100)], textLength: 0 },
	{ place: 3, at: 1350, rows: [createRow('a', 100, 1350)], textLength: 2 },
	{ place: 4, at: 1360, rows: [createRow('b', 1360)], textLength: 5 },
	{ place: 9, at: 2000, rows: [createRow('b', 1360, 2000)], textLength: 5 },
];
const head: InspectorHead = {
	key: 'k',
	agent: 'a',
	runId: 'r',
	status: 'succeeded',
	startedAt: 1,
	connection: 'c',
	mode: 'streaming',
	user: 'ana',
	draft: false,
	elsewhere: false,
	live: false,
	waits: false,
	waitedMs: 0,
	moments: 4,
	actions: [],
	kept: false,
};

describe('the slider of the inspector', () => {
	let loaded: PageWindow<{ InspectorPage: new (root: HTMLElement) => { start(): void } }>;
	let sent: FromInspector[];
	let kept: Record<string, unknown>;

	beforeEach(async () => {
		loaded = await runPage(path.resolve(import.meta.dirname, '../../../../../src/pages/inspector/inspectorPage.ts'));
		sent = [];
		kept = {};
	});
	afterEach(() => loaded.window.close());

	/** Opens the page with a run. `state`: what an earlier page saved. */
	function openPage(state: Record<string, unknown> = {}, shown = head): void {
		kept = state;
		Object.assign(loaded.window, {
			acquireVsCodeApi: () => ({
				postMessage: (message: FromInspector) => sent.push(message),
				getState: () => kept,
				setState: (saved: Record<string, unknown>) => (kept = saved),
			}),
			ResizeObserver: class {
				observe() {}
			},
		});
		loaded.window.HTMLCanvasElement.prototype.getContext = (() => null) as never;
		loaded.window.HTMLElement.prototype.hidePopover ??= () => {};
		new loaded.exports.InspectorPage(loaded.window.document.body).start();
		const rows = [createRow('a', 100, 1350), createRow('b', 1360, 2000)];
		sendMessage({ type: 'snapshot', seq: 1, head: shown, rows, text: 'Hello', strings, nodesView: 'timeline' });
		sendMessage({ type: 'outputs', outputs: [{ name: 'x', text: 'whole', isText: true, cut: false }] });
	}
	function sendMessage(message: FromInspectorHost): void {
		let thrown: unknown;
		loaded.window.addEventListener('error', event => (thrown = event.error), { once: true });
		loaded.window.dispatchEvent(new loaded.window.MessageEvent('message', { data: structuredClone(message) }));
		assert.equal(thrown, undefined, String(thrown));
	}
	const sendMoments = () => sendMessage({ type: 'moments', key: 'k', from: 0, moments, replaced: [] });
	const find = <T extends HTMLElement>(selector: string) => loaded.window.document.querySelector<T>(selector);
	const getSlider = () => find<HTMLInputElement>('.moments input')!;
	function moveSlider(value: number): void {
		getSlider().value = String(value);
		getSlider().dispatchEvent(new loaded.window.Event('input'));
	}
	const listRows = () => [...loaded.window.document.querySelectorAll('.nodeRow')].map(row => row.querySelector('.nodeTitle')?.textContent);
	const getText = (selector: string) => find(selector)?.textContent?.trim();

	it('is at the present first', () => {
		openPage();
		assert.deepEqual([getSlider().value, getSlider().min, getSlider().max], ['4', '1', '4']);
		assert.equal(getSlider().getAttribute('aria-valuetext'), '4/4 · present');
		assert.equal(getText('.momentText'), '4/4');
		assert.equal(find('.moments .wordButton'), null);
		assert.equal(find('.momentLine'), null);
		assert.ok(!sent.some(({ type }) => type === 'moments'));
	});

	it('shows rows, text and details as of a moment, and says so', async () => {
		openPage();
		moveSlider(2);
		assert.equal(JSON.stringify(sent.filter(({ type }) => type === 'moments')), JSON.stringify([{ type: 'moments', from: 0 }]));
		sendMoments();
		assert.deepEqual(listRows(), ['<b>a</b>']);
		assert.equal(getText('.momentText'), '2/4 · 1.25 s · <b>a</b>: succeeded');
		assert.equal(getSlider().getAttribute('aria-valuetext'), '2/4 · 1.25 s · <b>a</b>: succeeded');
		assert.match(getText('.detail .facts') ?? '', /^as of 1\.25 s · /);
		assert.match(getText('.outputs') ?? '', /as of 1\.25 s[\s\S]*Text received so far[\s\S]*He$/);
		assert.ok(find('.momentLine'));
		assert.equal(kept['moment'], 2);
		await new Promise(resolve => loaded.window.setTimeout(resolve, 80));
		assert.equal(JSON.stringify(sent.at(-1)), JSON.stringify({ type: 'detail', id: 'a', until: 3 }));
	});

	it('goes to the next and previous moment, and back to the present', () => {
		openPage();
		const click = (label: string) => find(`.moments [aria-label="${label}"]`)?.click();
		click('Previous moment');
		sendMoments();
		assert.equal(getSlider().value, '3');
		assert.deepEqual(listRows(), ['<b>a</b>', '<b>b</b>']);
		assert.equal(getText('.nodeRow.selected .nodeTitle'), '<b>b</b>');
		click('Previous moment');
		assert.equal(getText('.nodeRow.selected .nodeTitle'), '<b>a</b>');
		click('Next moment');
		click('Next moment');
		assert.equal(getText('.momentText'), '4/4');
		assert.equal(kept['moment'], undefined);
		moveSlider(1);
		assert.equal(find<HTMLButtonElement>('.moments [aria-label="Previous moment"]')?.disabled, true);
		find('.moments .wordButton')?.click();
		assert.equal(getText('.momentText'), '4/4');
		assert.match(getText('.outputs') ?? '', /whole$/);
	});

	it("keeps a row that the user selects, and says if it hasn't started", () => {
		openPage();
		moveSlider(3);
		sendMoments();
		find('#row-1')?.click();
		moveSlider(2);
		assert.equal(getText('.detail'), strings.notStarted);
		moveSlider(3);
		assert.equal(getText('.nodeRow.selected .nodeTitle'), '<b>b</b>');
	});

	it('stays at its moment while the run continues', () => {
		openPage({}, { ...head, live: true, status: 'running' });
		moveSlider(2);
		sendMoments();
		const row = createRow('c', 2100);
		sendMessage({
			type: 'changes',
			seq: 2,
			head: { ...head, live: true, status: 'running', moments: 5 },
			rows: [row],
			textAdded: ' you',
		});
		assert.deepEqual(listRows(), ['<b>a</b>']);
		assert.equal(getText('.momentText'), '2/5 · 1.25 s · <b>a</b>: succeeded');
		assert.equal(getText('.nodeRow.selected .nodeTitle'), '<b>a</b>');
		moveSlider(4);
		assert.deepEqual(listRows(), ['<b>a</b>', '<b>b</b>']);
		moveSlider(5);
		assert.deepEqual(listRows(), ['<b>a</b>', '<b>b</b>', '<b>c</b>']);
	});

	it('is restored after the page was hidden, and starts at the present for another run', () => {
		openPage({ key: 'k', moment: 2, selected: 'b' });
		sendMoments();
		assert.equal(getSlider().value, '2');
		assert.deepEqual(listRows(), ['<b>a</b>']);
		sendMessage({ type: 'snapshot', seq: 2, head: { ...head, key: 'other' }, rows: [], text: '', strings, nodesView: 'timeline' });
		assert.equal(kept['moment'], undefined);
		assert.equal(getSlider().value, '4');
		sendMoments();
		assert.equal(find('.moments.past'), null);
	});

	it("isn't there for a run without moments", () => {
		openPage({}, { ...head, moments: 0 });
		assert.equal(find('.moments'), null);
	});
});
