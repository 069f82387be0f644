import assert from 'node:assert/strict';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { readStartPart, type StartPart } from '#agentFile/reading/startPart.ts';
import { createPicture, createStartPicture } from '#pages/graph/picture/agentPicture.ts';
import { KnownPicture } from '#pages/graph/picture/knownPicture.ts';

interface WrittenNode {
	readonly type?: string;
	readonly place?: string;
	readonly parent?: string;
	readonly fields?: string;
}

const createNode = (id: string, { type = 'template-transform', place, parent, fields = '' }: WrittenNode) =>
	`    - id: ${id}\n${place === undefined ? '' : `      position: ${place}\n`}${parent === undefined ? '' : `      parentId: ${parent}\n`}` +
	`      data:\n        type: ${type}\n        title: ${id}\n${fields}`;

const createFile = (nodes: readonly string[], edges: readonly (readonly [string, string])[]) =>
	`workflow:\n  graph:\n    edges:\n${edges.map(([source, target]) => `    - { source: ${source}, target: ${target} }\n`).join('')}    nodes:\n${nodes.join('')}`;

const placeOf = (at: number) => `{ x: ${(at % 40) * 300}, y: ${Math.floor(at / 40) * 160} }`;

/** 400 nodes in rows of forty, with the start node in the middle, each connected to the next. */
function createLargeFile(
	change: (at: number, node: WrittenNode) => WrittenNode = (_, node) => node,
	inner: readonly string[] = [],
): string {
	const nodes = Array.from({ length: 400 }, (_, at) =>
		createNode(`n${at}`, change(at, { type: at === 220 ? 'start' : 'template-transform', place: placeOf(at) })),
	);
	return createFile(
		[...nodes, ...inner],
		nodes.slice(1).map((_, at) => [`n${at}`, `n${at + 1}`] as const),
	);
}

const readGraph = (part: StartPart | undefined) =>
	(part?.content as { workflow: { graph: { nodes: { id: string }[]; edges: { source: string; target: string }[] } } } | undefined)?.workflow
		.graph;

describe('The start of a large graph', () => {
	it('is the nodes around the start node, and the edges between them', () => {
		const part = readStartPart(createLargeFile());
		const { nodes = [], edges = [] } = readGraph(part) ?? {};
		const ids = nodes.map(({ id }) => id);
		assert.equal(ids.length, 60);
		assert.equal(ids[0], 'n220');
		assert.ok(['n180', 'n219', 'n221', 'n260'].every(id => ids.includes(id)));
		assert.ok(edges.length > 30 && edges.every(({ source, target }) => ids.includes(source) && ids.includes(target)));
		assert.deepEqual(part?.area, { x: 0, y: 0, width: 39 * 300 + 240, height: 9 * 160 + 48 });
	});

	it('looks like that part of the whole graph', () => {
		const text = createLargeFile(
			(at, node) =>
				at === 221 ? { ...node, type: 'iteration', place: '\n        x: 6300\n        y: 800\n      width: 500\n      height: 150' } : node,
			[createNode('inside', { place: '{ x: 30, y: 70 }', parent: 'n221' })],
		);
		const known = new KnownPicture();
		const part = readStartPart(text);
		assert.ok(part);
		const start = createStartPicture(part, known);
		const whole = createPicture(new AgentReading(text).content, known);
		const nodes = start?.nodes.map(({ id }) => id) ?? [];
		assert.ok(nodes.includes('inside'));
		for (const node of start?.nodes ?? []) {
			// nodes before the start node aren't reachable, which only the whole graph knows
			const same = whole?.nodes.find(({ id }) => id === node.id);
			assert.deepEqual({ ...node, marks: [] }, { ...same, marks: [] });
			assert.deepEqual(node.marks, []);
		}
		// a page keeps the cards of nodes that are the same objects
		assert.equal(
			start?.nodes.find(({ id }) => id === 'n222'),
			whole?.nodes.find(({ id }) => id === 'n222'),
		);
		assert.deepEqual([start?.x, start?.y, start?.width], [whole?.x, whole?.y, whole?.width]);
	});

	for (const [name, text] of [
		['of a small graph', createFile([createNode('a', { type: 'start', place: '{ x: 0, y: 0 }' })], [])],
		['without positions', createLargeFile((_, { place: _place, ...node }) => node)],
		['with all nodes at the same position', createLargeFile((_, node) => ({ ...node, place: '{ x: 1, y: 1 }' }))],
		[
			'with an error near the start node',
			createLargeFile((at, node) => (at === 221 ? { ...node, fields: '        template: [\n' } : node)),
		],
		['in a file that is read as a whole', `---\n${createLargeFile()}`],
		[
			'with very many edges between the shown nodes',
			createLargeFile().replace('    nodes:', `${'    - { source: n220, target: n221 }\n'.repeat(1_001)}    nodes:`),
		],
		['in a file of several megabytes', createLargeFile() + '#'.repeat(4_000_000)],
		[
			'with a container of many nodes',
			createLargeFile(
				(at, node) => (at === 221 ? { ...node, type: 'loop' } : node),
				Array.from({ length: 61 }, (_, at) => createNode(`i${at}`, { place: `{ x: ${at}, y: 0 }`, parent: 'n221' })),
			),
		],
	] as const) {
		it(`isn't shown separately ${name}`, () => {
			assert.equal(readStartPart(text), undefined);
		});
	}
});
