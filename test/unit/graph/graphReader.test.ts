import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ReadGraph, readGraph, rereadNode } from '../../../src/graph/reading/graphReader.ts';

const node = (id: string, more = '') =>
	`      - id: ${id}\n        data:\n          type: code\n          title: ${id.toUpperCase()}${more}\n`;
const file = (nodes: string) => `app: {name: x, mode: workflow}\nworkflow:\n  graph:\n    nodes:\n${nodes}    edges: []\n`;

function read(text: string): ReadGraph {
	const graph = readGraph(text);
	assert.ok('content' in graph, JSON.stringify(graph));
	return graph;
}

describe('reading a graph again after a keystroke', () => {
	const before = file(node('a') + node('b') + node('c'));

	it('reads the one node that changed, and finds all where they are then', () => {
		const text = before.replace('title: B', 'title: Better');
		const again = rereadNode(read(before), text);
		assert.ok(again);
		assert.deepEqual(again.content, read(text).content);
		assert.deepEqual(again.blocks, read(text).blocks);
	});

	it('goes on from what it read so', () => {
		let graph = read(before);
		let text = before;
		for (const letter of 'Best') {
			text = text.replace(/title: B.*/, line => line + letter);
			const next = rereadNode(graph, text);
			assert.ok(next);
			graph = next;
		}
		assert.deepEqual(graph.content, read(text).content);
		assert.deepEqual(graph.blocks, read(text).blocks);
	});

	for (const [what, text] of [
		['between nodes', before.replace('      - id: b', '      - id: new\n      - id: b')],
		['outside of the nodes', before.replace('edges: []', 'edges: [ ]')],
		['an anchor', before.replace('title: B', 'title: &t B')],
		['an alias', before.replace('title: B', 'title: *t')],
		['a quote that is open', before.replace('title: B', 'title: "B')],
		['a line less deep', before.replace('          title: B', '  title: B')],
		['a node that is none any more', before.replace(/id: b\n {8}data:[^-]*B\n/, 'b\n')],
	] as const) {
		it(`leaves it to a whole reading where that changed: ${what}`, () => {
			assert.equal(rereadNode(read(before), text), undefined);
		});
	}

	it('never holds anything else than a whole reading, whatever is typed where', () => {
		const typed = fc.oneof(
			fc.constantFrom(
				'"',
				"'",
				'#',
				': ',
				'\n',
				'\n  ',
				'\n        x: 1',
				'- ',
				'[',
				'{',
				'|',
				'>',
				'&a',
				'*a',
				'<<: ',
				'---\n',
				'\t',
				' ',
			),
			fc.string({ maxLength: 4 }),
		);
		fc.assert(
			fc.property(fc.nat(), fc.nat({ max: 6 }), typed, (place, gone, text) => {
				const at = place % before.length;
				const after = before.slice(0, at) + text + before.slice(at + gone);
				const again = rereadNode(read(before), after);
				if (again) {
					const whole = readGraph(after);
					assert.ok('content' in whole, `${JSON.stringify(after)} is wrong as a whole`);
					assert.deepEqual(again.content, whole.content);
					// a comment behind a node may count to it or not
					const places = ({ blocks }: ReadGraph) => blocks.map(({ id, start }) => [id, start]);
					assert.deepEqual(places(again), places(whole));
				}
			}),
			{ numRuns: 400 },
		);
	});
});
