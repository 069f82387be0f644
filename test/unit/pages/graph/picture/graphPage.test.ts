import assert from 'node:assert/strict';
import path from 'node:path';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { getNodeFormStrings } from '#pages/graph/nodeForm/nodeFormStrings.ts';
import { parseAgentPicture } from '#pages/graph/picture/agentPicture.ts';
import type { FromGraph, FromGraphHost } from '#pages/graph/picture/graphProtocol.ts';
import { getGraphStrings } from '#pages/graph/picture/graphStrings.ts';
import type { AgentPicture } from '#pages/graph/picture/graphTypes.ts';
import { diffPictures } from '#pages/graph/picture/pictureChange.ts';
import { type PageWindow, runPage } from '../nodeForm/pageBundle.ts';

const hostile = [
	'__proto__',
	'constructor',
	'toString',
	'</style><img src=x onerror=alert(1)>',
	'\u202egnp.exe',
	'{{#a.b#}}',
	'"\'`',
	'x'.repeat(900),
];

describe('graph page', () => {
	let loaded: PageWindow<{ GraphPage: new (root: HTMLElement) => { start(): void } }>;
	let sent: FromGraph[];

	before(async () => {
		loaded = await runPage(path.resolve(import.meta.dirname, '../../../../../src/pages/graph/graphPage.ts'));
		sent = [];
		Object.assign(loaded.window, {
			acquireVsCodeApi: () => ({ postMessage: (message: FromGraph) => sent.push(message), getState: () => undefined, setState() {} }),
			ResizeObserver: class {
				observe() {}
			},
			devicePixelRatio: 1,
		});
		loaded.window.HTMLCanvasElement.prototype.getContext = (() => null) as never;
		Object.assign(loaded.window.HTMLElement.prototype, { setPointerCapture() {}, scrollIntoView() {} });
		new loaded.exports.GraphPage(getDocument().body).start();
		sendMessage({
			type: 'begin',
			uri: 'file:///a.yml',
			file: 'a.yml',
			strings: getGraphStrings({ t: fillPlaceholders }),
			formStrings: getNodeFormStrings({ t: fillPlaceholders }),
			kinds: [],
			editable: true,
			undoKeys: true,
			seq: 0,
		});
	});
	after(() => loaded.window.close());

	const getDocument = () => loaded.window.document;
	/** Sends a message from the host; errors of the page are thrown here. */
	function sendMessage(message: FromGraphHost): void {
		let thrown: unknown;
		loaded.window.addEventListener('error', event => (thrown = event.error), { once: true });
		loaded.window.dispatchEvent(new loaded.window.MessageEvent('message', { data: structuredClone(message) }));
		assert.equal(thrown, undefined, String(thrown));
	}
	function createPicture(nodes: readonly object[], edges: readonly object[] = []): AgentPicture {
		const picture = parseAgentPicture(JSON.stringify({ workflow: { graph: { nodes, edges } } }));
		assert.ok(picture);
		return picture;
	}
	const listCards = () => [...getDocument().querySelectorAll<HTMLElement>('.node')];

	it('shows any IDs, titles, types and notes unchanged, with problems and a run', () => {
		const nodes = hostile.map((id, at) => ({
			id,
			position: { x: at * 300, y: 0 },
			data: { type: at % 2 ? id : 'if-else', title: id, desc: id, cases: [{ case_id: id, conditions: [] }] },
		}));
		const note = { id: 'note', type: 'custom-note', data: { text: hostile.join('\n'), theme: '" onclick="x' } };
		const edges = hostile.map((id, at) => ({ source: id, target: hostile[at + 1] ?? 'gone </text><script>', sourceHandle: id }));
		sendMessage({ type: 'picture', number: 1, done: 9, picture: createPicture([...nodes, note], edges), empty: false });
		sendMessage({ type: 'faults', faults: hostile.map(id => [id, [`wrong: ${id}`]]) });
		sendMessage({ type: 'select', nodes: hostile });
		sendMessage({
			type: 'run',
			head: { label: '<b>', status: 'constructor', live: false, startedAt: 0, waitedMs: 0 },
			rows: ['__proto__', 'of another file'].map(nodeId => ({ id: nodeId, nodeId, status: 'constructor', start: 0, end: 1 }) as never),
			values: [['__proto__', '<img src=x>']],
			isNew: true,
		});
		assert.deepEqual(
			listCards().map(card => card.dataset['node']),
			hostile,
		);
		assert.ok(listCards().every(card => card.classList.contains('faulty')));
		assert.equal(getDocument().querySelectorAll('img, script, [onclick], [onerror]').length, 0);
		sendMessage({ type: 'faults', faults: [] });
		sendMessage({ type: 'run', rows: [], values: [], isNew: true });
		assert.ok(listCards().every(card => !card.classList.contains('faulty')));
	});

	it('marks breakpoints, paused runs and pins, also for screen readers', () => {
		const createNode = (id: string, at: number) => ({ id, position: { x: at * 300, y: 0 }, data: { type: 'code', title: id } });
		const ids = ['__proto__', 'both', 'off', 'none'];
		sendMessage({ type: 'picture', number: 1, done: 9, picture: createPicture(ids.map(createNode)), empty: false });
		sendMessage({
			type: 'stops',
			breakpoints: [
				{ node: 'both', enabled: true },
				{ node: 'off', enabled: false },
				{ node: 'gone', enabled: true },
			],
			pausedAt: ['__proto__', 'both'],
			ranLater: ['none'],
			pinned: [{ node: 'both', files: ['tea.run.json', 'cake.run.json'] }],
		});
		const listMarks = () => listCards().map(card => [...card.querySelectorAll('.stopMark')].map(mark => mark.classList[1]));
		assert.deepEqual(listMarks(), [['pausedHere'], ['pausedHere', 'breakpoint', 'pinned'], ['disabled'], ['ranLater']]);
		const labels = listCards().map(card => card.getAttribute('aria-label') ?? '');
		const said = [
			/, paused here$/,
			/, paused here, breakpoint, pinned in tea\.run\.json, cake\.run\.json$/,
			/, disabled breakpoint$/,
			/^none(?!.*breakpoint).*, ran later$/,
		];
		for (const [at, pattern] of said.entries()) {
			assert.match(labels[at] ?? '', pattern);
		}
		assert.deepEqual(
			listCards().map(card => card.classList.contains('pausedHere')),
			[true, true, false, false],
		);
		assert.deepEqual(
			listCards().map(card => card.classList.contains('ranLater')),
			[false, false, false, true],
		);
		sendMessage({ type: 'stops', breakpoints: [], pausedAt: [], ranLater: [], pinned: [] });
		assert.equal(getDocument().querySelectorAll('.stopMark, .node.pausedHere').length, 0);
	});

	it('applies changes of the picture, and requests a complete one if one is lost', () => {
		const createNode = (id: string, title: string) => ({ id, position: { x: 0, y: id === 'a' ? 0 : 200 }, data: { type: 'code', title } });
		const before = createPicture([createNode('a', 'A'), createNode('b', 'B')]);
		const after = createPicture([createNode('a', 'A'), createNode('b', 'Typed')]);
		const change = diffPictures(before, { ...after, nodes: before.nodes.map((each, at) => (at === 1 ? (after.nodes[1] ?? each) : each)) });
		const listTitles = () => listCards().map(card => card.querySelector('.nodeTitle')?.textContent);
		sendMessage({ type: 'picture', number: 20, done: 9, picture: before, empty: false });
		const [card] = listCards();
		sent.length = 0;
		sendMessage({ type: 'picture', number: 22, done: 9, change, since: 21, empty: false });
		assert.deepEqual(listTitles(), ['A', 'B']);
		assert.deepEqual(JSON.parse(JSON.stringify(sent)), [{ type: 'wholePicture' }]);
		sendMessage({ type: 'picture', number: 21, done: 9, change, since: 20, empty: false });
		assert.deepEqual(listTitles(), ['A', 'Typed']);
		assert.equal(listCards()[0], card);
	});

	it('draws output handles that are named like object properties', () => {
		const ways = ['constructor', '__proto__', 'toString'];
		const node = {
			id: 'if',
			position: { x: 0, y: 0 },
			data: { type: 'if-else', title: 'If', cases: ways.map(case_id => ({ case_id, conditions: [] })) },
		};
		sendMessage({ type: 'picture', number: 2, done: 9, picture: createPicture([node]), empty: false });
		sendMessage({ type: 'select', nodes: ['if'] });
		getDocument()
			.querySelector('.canvas')
			?.dispatchEvent(new loaded.window.KeyboardEvent('keydown', { key: 'a', bubbles: true }));
		const labels = [...getDocument().querySelectorAll('.popup [role="option"]')].map(option => option.textContent?.trim());
		assert.equal(labels.length, 4);
		assert.ok(!labels.join().includes('function'), labels.join());
		getDocument()
			.querySelector('.popup')
			?.dispatchEvent(new loaded.window.KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
	});

	it('runs and debugs the agent from its toolbar, and the selected node by button and key', () => {
		const node = { id: 'a', position: { x: 0, y: 0 }, data: { type: 'code', title: 'A' } };
		sendMessage({ type: 'picture', number: 2, done: 9, picture: createPicture([node]), empty: false });
		sendMessage({ type: 'select', nodes: [] });
		const findButton = (name: string) => getDocument().querySelector<HTMLButtonElement>(`.toolbar button[aria-label^="${name}"]`);
		assert.equal(findButton('Run node')?.disabled, true);
		sendMessage({ type: 'select', nodes: ['a'] });
		sent.length = 0;
		for (const name of ['Run draft', 'Debug draft', 'Run node']) {
			findButton(name)?.click();
		}
		getDocument()
			.querySelector('.canvas')
			?.dispatchEvent(new loaded.window.KeyboardEvent('keydown', { key: 'r', bubbles: true }));
		const run = { type: 'onNode', action: 'run', node: 'a' };
		assert.deepEqual(JSON.parse(JSON.stringify(sent)), [
			{ type: 'onAgent', action: 'run' },
			{ type: 'onAgent', action: 'debug' },
			run,
			run,
		]);
	});

	it('stops the run that it shows from its toolbar, while the run is active', () => {
		const node = { id: 'a', position: { x: 0, y: 0 }, data: { type: 'code', title: 'A' } };
		sendMessage({ type: 'picture', number: 2, done: 9, picture: createPicture([node]), empty: false });
		const findStop = () => getDocument().querySelector<HTMLButtonElement>('.toolbar button[aria-label="Stop run"]');
		const showRun = (status: string, live: boolean) =>
			sendMessage({ type: 'run', head: { label: '1', startedAt: 0, waitedMs: 0, status, live }, rows: [], values: [], isNew: true });
		assert.equal(findStop(), null);
		showRun('running', true);
		sent.length = 0;
		findStop()?.click();
		assert.deepEqual(JSON.parse(JSON.stringify(sent)), [{ type: 'onAgent', action: 'stop' }]);
		showRun('stopping', true);
		assert.equal(findStop()?.disabled, true);
		showRun('stopped', false);
		assert.equal(findStop(), null);
		sendMessage({ type: 'run', rows: [], values: [], isNew: true });
	});

	it('shows the last run of the selected node next to its form, and short values on cards', () => {
		const node = { id: 'a', position: { x: 0, y: 0 }, data: { type: 'code', title: 'A' } };
		sendMessage({ type: 'picture', number: 2, done: 9, picture: createPicture([node]), empty: false });
		const form = { type: 'code', title: 'A', about: '', sections: [], others: [], faults: [], scopes: [], models: [], editable: true };
		sendMessage({ type: 'form', form: { ...form, node: 'a' }, revision: 0, done: 9 });
		sent.length = 0;
		const findTab = (name: string) =>
			[...getDocument().querySelectorAll<HTMLElement>('[role="tab"]')].find(tab => tab.textContent === name);
		const listSent = () => JSON.parse(JSON.stringify(sent.splice(0))) as unknown[];
		findTab('Last run')?.click();
		assert.deepEqual(listSent(), [{ type: 'lastRun' }]);
		const getText = () => getDocument().querySelector('.lastRun')?.textContent ?? '';
		assert.match(getText(), /This agent hasn't run yet/);
		const head = { label: '1', startedAt: 0, waitedMs: 0 };
		const row = { id: 'r1', nodeId: 'a', kind: 'code', title: 'A', start: 0 };
		sendMessage({
			type: 'run',
			head: { ...head, status: 'running', live: true },
			rows: [{ ...row, status: 'running' }],
			values: [],
			isNew: true,
		});
		assert.deepEqual(listSent(), [{ type: 'rowDetail', row: 'r1' }]);
		sendMessage({
			type: 'run',
			head: { ...head, status: 'succeeded', live: false },
			rows: [{ ...row, status: 'succeeded', end: 7, tokens: 3 }],
			values: [['a', 'seven sentences']],
			isNew: false,
		});
		assert.deepEqual(listSent(), [{ type: 'rowDetail', row: 'r1' }]);
		sendMessage({ type: 'rowDetail', row: 'r1', detail: { inputs: '{"n": 1}', outputs: '<img src=x>' } });
		assert.match(getText(), /succeeded · 7 ms · 3 tokens.*Outputs<img src=x>Inputs\{"n": 1\}/s);
		assert.match(listCards()[0]?.querySelector('.dim')?.textContent ?? '', /^7 ms · seven sentences$/);
		getDocument()
			.querySelector('.lastRun .wordButton')
			?.dispatchEvent(new loaded.window.MouseEvent('click', { bubbles: true }));
		assert.deepEqual(listSent(), [{ type: 'inspectRun' }]);
		sendMessage({ type: 'run', head: { ...head, status: 'succeeded', live: false }, rows: [], values: [], isNew: true });
		assert.match(getText(), /This node didn't run/);
		findTab('Form')?.click();
		assert.equal(getDocument().querySelector<HTMLElement>('.lastRun')?.hidden, true);
		sendMessage({ type: 'run', rows: [], values: [], isNew: true });
	});

	it('shows the value on an edge that the run took in its tooltip', () => {
		const createNode = (id: string, x: number) => ({ id, position: { x, y: 0 }, data: { type: 'code', title: id } });
		const edges = [
			{ source: 'a', target: 'b' },
			{ source: 'b', target: 'c' },
		];
		const picture = createPicture([createNode('a', 0), createNode('b', 400), createNode('c', 800)], edges);
		sendMessage({ type: 'picture', number: 3, done: 9, picture, empty: false });
		const listTitles = () =>
			[...getDocument().querySelectorAll('.edges g')].map(edge => [
				edge.getAttribute('data-source'),
				edge.querySelector('title')?.textContent,
			]);
		assert.deepEqual(listTitles(), [
			['a', undefined],
			['b', undefined],
		]);
		const createRow = (id: string) => ({ id: `r${id}`, nodeId: id, kind: 'code', title: id, start: 0, end: 7, status: 'succeeded' });
		const head = { label: '1', startedAt: 0, waitedMs: 0, status: 'running', live: true };
		const values = [
			['a', '<b>seven</b>'],
			['b', 'eight'],
		];
		sendMessage({ type: 'run', head, rows: [createRow('a'), createRow('b')], values, isNew: true } as never);
		assert.deepEqual(listTitles(), [
			['a', '<b>seven</b>'],
			['b', undefined],
		]);
		sendMessage({ type: 'run', rows: [], values: [], isNew: true });
	});

	it('cancels a drag when the text becomes invalid', () => {
		const node = { id: 'a', position: { x: 0, y: 0 }, data: { type: 'code', title: 'A' } };
		sendMessage({ type: 'picture', number: 3, done: 9, picture: createPicture([node]), empty: false });
		const firePointer = (type: string, clientX: number) =>
			(type === 'pointerdown' ? listCards()[0] : getDocument().querySelector('.canvas'))?.dispatchEvent(
				Object.assign(new loaded.window.MouseEvent(type, { clientX, clientY: 0, button: 0, buttons: 1, bubbles: true }), { pointerId: 1 }),
			);
		sent.length = 0;
		firePointer('pointerdown', 0);
		firePointer('pointermove', 50);
		sendMessage({ type: 'picture', number: 4, done: 9, picture: createPicture([node]), stale: 'Line 1: wrong', empty: false });
		firePointer('pointermove', 90);
		firePointer('pointerup', 90);
		assert.deepEqual(
			sent.filter(({ type }) => type === 'edit'),
			[],
		);
		assert.match(listCards()[0]?.style.transform ?? '', /translate\(0px/);

		sendMessage({ type: 'picture', number: 5, done: 9, picture: createPicture([node]), empty: false });
		firePointer('pointerdown', 0);
		firePointer('pointermove', 50);
		sendMessage({ type: 'picture', number: 6, done: 9, picture: createPicture([{ ...node, position: { x: 500, y: 7 } }]), empty: false });
		firePointer('pointerup', 50);
		assert.deepEqual(JSON.parse(JSON.stringify(sent.filter(({ type }) => type === 'edit'))), [
			{ type: 'edit', operation: { do: 'move', nodes: [{ id: 'a', x: 550, y: 7 }] }, seq: 1, form: 0, done: 0 },
		]);

		sent.length = 0;
		firePointer('pointerdown', 0);
		firePointer('pointermove', 50);
		sendMessage({ type: 'picture', number: 7, done: 9, picture: createPicture([{ ...node, id: 'b' }]), empty: false });
		firePointer('pointerup', 50);
		assert.deepEqual(
			sent.filter(({ type }) => type === 'edit'),
			[],
			'the node that was dragged is gone',
		);
	});

	it('moves a dragged note inside its container', () => {
		const around = { id: 'loop', position: { x: 100, y: 100 }, data: { type: 'loop', title: 'L', width: 600, height: 300 } };
		const note = { id: 'note', type: 'custom-note', parentId: 'loop', position: { x: 50, y: 60 }, data: { text: 'n' } };
		sendMessage({ type: 'picture', number: 8, done: 9, picture: createPicture([around, note]), empty: false });
		const firePointer = (type: string, clientX: number) =>
			getDocument()
				.querySelector(type === 'pointerdown' ? '.note' : '.canvas')
				?.dispatchEvent(
					Object.assign(new loaded.window.MouseEvent(type, { clientX, clientY: 0, button: 0, buttons: 1, bubbles: true }), {
						pointerId: 1,
					}),
				);
		sent.length = 0;
		firePointer('pointerdown', 0);
		firePointer('pointermove', 30);
		assert.match(getDocument().querySelector<HTMLElement>('.note')?.style.transform ?? '', /translate\(180px, ?160px/);
		firePointer('pointerup', 30);
		const [edit] = JSON.parse(JSON.stringify(sent.filter(({ type }) => type === 'edit')));
		assert.deepEqual(edit.operation, { do: 'move', nodes: [{ id: 'note', x: 80, y: 60 }] });
		sendMessage({ type: 'done', seq: edit.seq });
	});

	describe('while requests are pending', () => {
		const createNode = (id: string, x: number, type = 'code') => ({ id, position: { x, y: 0 }, data: { type, title: id.toUpperCase() } });
		let seq = 0;
		const pressKey = (name: string, more: object = {}) => {
			const target = getDocument().activeElement ?? getDocument().body;
			return target.dispatchEvent(new loaded.window.KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...more }));
		};
		const getCanvas = () => getDocument().querySelector<HTMLElement>('.canvas') as HTMLElement;
		// biome-ignore lint/suspicious/noExplicitAny: operations of all kinds
		const listRequests = (): any[] =>
			JSON.parse(JSON.stringify(sent.flatMap(message => (message.type === 'edit' ? [message.operation] : []))));
		const getPopup = () => getDocument().querySelector<HTMLElement>('.popup') as HTMLElement;
		function sendPicture(...nodes: readonly object[]): void {
			sendMessage({ type: 'picture', number: 9, done: seq, picture: createPicture(nodes), empty: false });
		}
		const getLastSeq = () => sent.reduce((last, message) => ('seq' in message ? message.seq : last), 0);

		beforeEach(() => {
			sendMessage({
				type: 'begin',
				uri: 'file:///a.yml',
				file: 'a.yml',
				strings: getGraphStrings({ t: fillPlaceholders }),
				formStrings: getNodeFormStrings({ t: fillPlaceholders }),
				kinds: [
					{ type: 'llm', icon: 'code', title: 'Model', help: '' },
					{ type: 'end', icon: 'code', title: 'End', help: '' },
				],
				editable: true,
				undoKeys: true,
				seq: getLastSeq(),
			});
			seq = getLastSeq();
			sendPicture(createNode('a', 0), createNode('b', 400));
			sendMessage({ type: 'select', nodes: ['a'] });
			getCanvas().focus();
			sent.length = 0;
		});

		it('queues keys for the resulting graph, and text for its popups', () => {
			const typeText = (text: string) => {
				for (const letter of text) {
					pressKey(letter);
				}
			};
			pressKey('a');
			getPopup().querySelector('input')?.dispatchEvent(new loaded.window.Event('input'));
			pressKey('Enter');
			assert.deepEqual(listRequests(), [{ do: 'add', type: 'llm', behind: { node: 'a', handle: 'source' } }]);
			assert.equal(getDocument().activeElement, getCanvas());
			typeText('aend');
			pressKey('Enter');
			pressKey('d', { ctrlKey: true });
			assert.equal(listRequests().length, 1, 'nothing is asked for of the older graph');
			assert.ok(getPopup().hidden);
			sendPicture(createNode('a', 0), createNode('llm', 300, 'llm'), createNode('b', 600));
			sendMessage({ type: 'select', nodes: ['llm'], by: getLastSeq() });
			assert.equal(listRequests().length, 1);
			sendMessage({ type: 'done', seq: getLastSeq() });
			assert.deepEqual(listRequests().slice(1), [{ do: 'add', type: 'end', behind: { node: 'llm', handle: 'source' } }]);
			sendPicture(createNode('a', 0), createNode('llm', 300, 'llm'), createNode('end', 500, 'end'), createNode('b', 600));
			sendMessage({ type: 'select', nodes: ['end'], by: getLastSeq() });
			sendMessage({ type: 'done', seq: getLastSeq() });
			assert.deepEqual(listRequests().slice(2), [{ do: 'duplicate', nodes: ['end'] }]);
			sendMessage({ type: 'done', seq: getLastSeq() });
		});

		it('moves a node with each of two keys', () => {
			pressKey('ArrowRight', { altKey: true });
			pressKey('ArrowRight', { altKey: true });
			assert.equal(listRequests().length, 1);
			sendPicture(createNode('a', 20), createNode('b', 400));
			sendMessage({ type: 'done', seq: getLastSeq() });
			assert.deepEqual(
				listRequests().map(({ nodes }) => nodes.find(({ id }: { id: string }) => id === 'a').x),
				[20, 40],
			);
			sendMessage({ type: 'done', seq: getLastSeq() });
		});

		it('shows a node where it was dropped until the move is done or refused, even if older graphs arrive', () => {
			const getCard = () => getDocument().querySelector<HTMLElement>('[data-node="a"]')?.style.transform;
			const firePointer = (type: string, clientX: number) =>
				(type === 'pointerdown' ? listCards()[0] : getCanvas())?.dispatchEvent(
					Object.assign(new loaded.window.MouseEvent(type, { clientX, clientY: 0, button: 0, buttons: 1, bubbles: true }), {
						pointerId: 1,
					}),
				);
			firePointer('pointerdown', 0);
			firePointer('pointermove', 50);
			firePointer('pointerup', 50);
			getCanvas().click();
			firePointer('pointerdown', 0);
			firePointer('pointerup', 0);
			assert.equal(listRequests().length, 1);
			assert.match(getCard() ?? '', /translate\(50px/);
			sendPicture(createNode('a', 0), createNode('b', 400));
			assert.match(getCard() ?? '', /translate\(50px/);
			sendMessage({ type: 'refused', sentence: 'no' });
			sendMessage({ type: 'done', seq: getLastSeq() });
			assert.match(getCard() ?? '', /translate\(0px/);
		});

		it("doesn't change a newer selection or take the focus from a field", () => {
			pressKey('d', { ctrlKey: true });
			const added = getLastSeq();
			listCards()[1]?.dispatchEvent(new loaded.window.MouseEvent('click', { bubbles: true }));
			sendPicture(createNode('a', 0), createNode('b', 400), createNode('a_2', 800));
			sendMessage({ type: 'select', nodes: ['a_2'], by: added });
			sendMessage({ type: 'done', seq: added });
			assert.equal(getDocument().querySelector<HTMLElement>('.node.selected')?.dataset['node'], 'b');
			pressKey('d', { ctrlKey: true });
			const find = getDocument().querySelector<HTMLInputElement>('.toolbar input');
			find?.focus();
			sendMessage({ type: 'select', nodes: ['a'], by: getLastSeq() });
			sendMessage({ type: 'done', seq: getLastSeq() });
			assert.equal(getDocument().activeElement, find);
			assert.equal(getDocument().querySelector<HTMLElement>('.node.selected')?.dataset['node'], 'a');
		});

		it('leaves unused keys to the editor, also while a popup is open', () => {
			let heard = 0;
			loaded.window.addEventListener('keydown', ({ key: name }) => name === 'F1' && heard++);
			pressKey('a');
			assert.ok(!getPopup().hidden);
			pressKey('F1');
			assert.equal(heard, 1);
			pressKey('Escape');
		});
	});
});
