import assert from 'node:assert/strict';
import { Culling } from '#pages/graph/drawnSet.ts';
import { findOutermostNodes, getPositionsToWrite, movePicture } from '#pages/graph/gestures/movedPicture.ts';
import { parseAgentPicture } from '#pages/graph/picture/agentPicture.ts';
import type { AgentPicture } from '#pages/graph/picture/graphTypes.ts';

function createPicture(nodes: readonly object[], edges: readonly object[] = []): AgentPicture {
	const picture = parseAgentPicture(JSON.stringify({ workflow: { graph: { nodes, edges } } }));
	assert.ok(picture);
	return picture;
}

const createCodeNode = (id: string, position?: { x: number; y: number }, parentId?: string) => ({
	id,
	position,
	parentId,
	data: { type: 'code', title: id },
});
const loop = { id: 'loop', position: { x: 500, y: 100 }, width: 600, height: 300, data: { type: 'loop', title: 'Loop' } };

describe('moving nodes of a graph', () => {
	it('moves the nodes inside and the edges along', () => {
		const picture = createPicture(
			[createCodeNode('a', { x: 0, y: 0 }), loop, createCodeNode('in', { x: 40, y: 80 }, 'loop')],
			[{ source: 'a', target: 'loop' }],
		);
		const moved = movePicture(picture, ['loop'], 100, -50);
		const byId = Object.fromEntries(moved.nodes.map(({ id, x, y }) => [id, { x, y }]));
		assert.deepEqual(byId, { a: { x: 0, y: 0 }, loop: { x: 600, y: 50 }, in: { x: 640, y: 130 } });
		assert.deepEqual(
			moved.edges.map(({ from, to }) => [from, to]),
			[
				[
					{ x: 240, y: 24 },
					{ x: 596, y: 74 },
				],
			],
		);
		assert.deepEqual(getPositionsToWrite(moved, ['loop']), [{ id: 'loop', x: 600, y: 50 }]);
	});

	it('writes positions relative to the container', () => {
		const picture = createPicture([loop, createCodeNode('in', { x: 40, y: 80 }, 'loop')]);
		assert.deepEqual(getPositionsToWrite(movePicture(picture, ['in'], 5.4, 0), ['in']), [{ id: 'in', x: 45, y: 80 }]);
	});

	it('moves a container without writing selected nodes inside', () => {
		const picture = createPicture([loop, createCodeNode('in', { x: 40, y: 80 }, 'loop'), createCodeNode('a', { x: 0, y: 0 })]);
		assert.deepEqual(findOutermostNodes(picture, ['in', 'loop', 'a', 'gone']), ['loop', 'a']);
	});

	it('writes the positions of all nodes if the file has none', () => {
		const picture = createPicture([createCodeNode('a'), createCodeNode('b')], [{ source: 'a', target: 'b' }]);
		assert.deepEqual(picture.placed, []);
		assert.deepEqual(
			getPositionsToWrite(movePicture(picture, ['b'], 10, 20), ['b']).map(({ id }) => id),
			['a', 'b'],
		);
	});
});

describe('rendered part of a graph', () => {
	const many = createPicture(
		Array.from({ length: 1000 }, (_, at) => createCodeNode(`n${at}`, { x: (at % 40) * 300, y: Math.floor(at / 40) * 160 })),
		Array.from({ length: 999 }, (_, at) => ({ source: `n${at}`, target: `n${at + 1}` })),
	);
	const sight = { x: 600, y: 320, width: 1200, height: 700 };

	it('is all of a small graph', () => {
		const few = createPicture([createCodeNode('a', { x: 0, y: 0 }), createCodeNode('far', { x: 90_000, y: 0 })]);
		assert.equal(new Culling().chooseDrawnSet(few, sight, undefined).nodes.length, 2);
	});

	it('is the part near the visible area of a large graph, and the selected node', () => {
		const { nodes, edges } = new Culling().chooseDrawnSet(many, sight, 'n999');
		assert.ok(nodes.length < 100 && edges.length < 120, `${nodes.length} nodes, ${edges.length} edges`);
		assert.ok(nodes.some(({ id }) => id === 'n999'));
		const seen = many.nodes.filter(({ x, y }) => x > 600 && x < 1500 && y > 320 && y < 900);
		assert.ok(seen.length > 4 && seen.every(node => nodes.includes(node)));
	});

	it('stays the same on a short pan and changes on a long one', () => {
		const culling = new Culling();
		const first = culling.chooseDrawnSet(many, sight, undefined);
		assert.equal(culling.chooseDrawnSet(many, { ...sight, x: sight.x + 300 }, undefined), first);
		assert.notEqual(culling.chooseDrawnSet(many, { ...sight, x: sight.x + 3000 }, undefined), first);
	});
});
