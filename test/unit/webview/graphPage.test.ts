import assert from 'node:assert/strict';
import path from 'node:path';
import { agentPicture } from '../../../src/graph/agentPicture.ts';
import { nodeFormStrings } from '../../../src/graph/forms/nodeFormStrings.ts';
import type { FromGraph, FromGraphHost } from '../../../src/graph/graphProtocol.ts';
import { graphStrings } from '../../../src/graph/graphStrings.ts';
import type { AgentPicture } from '../../../src/graph/graphTypes.ts';
import { type PageWindow, runPage } from './pageBundle.ts';

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

describe('the page of a graph', () => {
	let loaded: PageWindow<{ GraphPage: new (root: HTMLElement) => { start(): void } }>;
	let sent: FromGraph[];

	before(async () => {
		loaded = await runPage(path.resolve(import.meta.dirname, '../../../src/webview/graph/graphPage.ts'));
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
		new loaded.exports.GraphPage(document().body).start();
		tell({
			type: 'begin',
			uri: 'file:///a.yml',
			file: 'a.yml',
			strings: graphStrings(),
			formStrings: nodeFormStrings(),
			kinds: [],
			editable: true,
			undoKeys: true,
		});
	});
	after(() => loaded.window.close());

	const document = () => loaded.window.document;
	/** The host says it; what the page throws is thrown here. */
	function tell(message: FromGraphHost): void {
		let thrown: unknown;
		loaded.window.addEventListener('error', event => (thrown = event.error), { once: true });
		loaded.window.dispatchEvent(new loaded.window.MessageEvent('message', { data: structuredClone(message) }));
		assert.equal(thrown, undefined, String(thrown));
	}
	function pictureOf(nodes: readonly object[], edges: readonly object[] = []): AgentPicture {
		const picture = agentPicture(JSON.stringify({ workflow: { graph: { nodes, edges } } }));
		assert.ok(picture);
		return picture;
	}
	const cards = () => [...document().querySelectorAll<HTMLElement>('.node')];

	it('shows IDs, titles, types and notes as they are, whatever they are, with faults and a run', () => {
		const nodes = hostile.map((id, at) => ({
			id,
			position: { x: at * 300, y: 0 },
			data: { type: at % 2 ? id : 'if-else', title: id, desc: id, cases: [{ case_id: id, conditions: [] }] },
		}));
		const note = { id: 'note', type: 'custom-note', data: { text: hostile.join('\n'), theme: '" onclick="x' } };
		const edges = hostile.map((id, at) => ({ source: id, target: hostile[at + 1] ?? 'gone </text><script>', sourceHandle: id }));
		tell({ type: 'picture', version: 1, picture: pictureOf([...nodes, note], edges), empty: false });
		tell({ type: 'faults', faults: hostile.map(id => [id, [`wrong: ${id}`]]) });
		tell({ type: 'select', nodes: hostile });
		tell({
			type: 'run',
			head: { label: '<b>', status: 'constructor', live: false, startedAt: 0, waitedMs: 0 },
			rows: ['__proto__', 'of another file'].map(nodeId => ({ id: nodeId, nodeId, status: 'constructor', start: 0, end: 1 }) as never),
			anew: true,
		});
		assert.deepEqual(
			cards().map(card => card.dataset['node']),
			hostile,
		);
		assert.ok(cards().every(card => card.classList.contains('faulty')));
		assert.equal(document().querySelectorAll('img, script, [onclick], [onerror]').length, 0);
		tell({ type: 'faults', faults: [] });
		tell({ type: 'run', rows: [], anew: true });
		assert.ok(cards().every(card => !card.classList.contains('faulty')));
	});

	it('asks for ways out of nodes that are called as what every object has', () => {
		const ways = ['constructor', '__proto__', 'toString'];
		const node = {
			id: 'if',
			position: { x: 0, y: 0 },
			data: { type: 'if-else', title: 'If', cases: ways.map(case_id => ({ case_id, conditions: [] })) },
		};
		tell({ type: 'picture', version: 2, picture: pictureOf([node]), empty: false });
		tell({ type: 'select', nodes: ['if'] });
		document()
			.querySelector('.canvas')
			?.dispatchEvent(new loaded.window.KeyboardEvent('keydown', { key: 'a', bubbles: true }));
		const labels = [...document().querySelectorAll('.popup [role="option"]')].map(option => option.textContent?.trim());
		assert.equal(labels.length, 4);
		assert.ok(!labels.join().includes('function'), labels.join());
		document()
			.querySelector('.popup')
			?.dispatchEvent(new loaded.window.KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
	});

	it('lets go of what is dragged when the text is wrong meanwhile', () => {
		const node = { id: 'a', position: { x: 0, y: 0 }, data: { type: 'code', title: 'A' } };
		tell({ type: 'picture', version: 3, picture: pictureOf([node]), empty: false });
		const pointer = (type: string, clientX: number) =>
			(type === 'pointerdown' ? cards()[0] : document().querySelector('.canvas'))?.dispatchEvent(
				Object.assign(new loaded.window.MouseEvent(type, { clientX, clientY: 0, button: 0, buttons: 1, bubbles: true }), { pointerId: 1 }),
			);
		sent.length = 0;
		pointer('pointerdown', 0);
		pointer('pointermove', 50);
		tell({ type: 'picture', version: 4, picture: pictureOf([node]), stale: 'Line 1: wrong', empty: false });
		pointer('pointermove', 90);
		pointer('pointerup', 90);
		assert.deepEqual(
			sent.filter(({ type }) => type === 'edit'),
			[],
		);
		assert.match(cards()[0]?.style.transform ?? '', /translate\(0px/);

		tell({ type: 'picture', version: 5, picture: pictureOf([node]), empty: false });
		pointer('pointerdown', 0);
		pointer('pointermove', 50);
		tell({ type: 'picture', version: 6, picture: pictureOf([{ ...node, position: { x: 500, y: 7 } }]), empty: false });
		pointer('pointerup', 50);
		assert.deepEqual(JSON.parse(JSON.stringify(sent.filter(({ type }) => type === 'edit'))), [
			{ type: 'edit', operation: { do: 'move', nodes: [{ id: 'a', x: 550, y: 7 }] } },
		]);

		sent.length = 0;
		pointer('pointerdown', 0);
		pointer('pointermove', 50);
		tell({ type: 'picture', version: 7, picture: pictureOf([{ ...node, id: 'b' }]), empty: false });
		pointer('pointerup', 50);
		assert.deepEqual(
			sent.filter(({ type }) => type === 'edit'),
			[],
			'the node that was dragged is gone',
		);
	});
});
