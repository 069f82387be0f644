import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { parseAgentPicture } from '#pages/graph/picture/agentPicture.ts';
import type { AgentPicture, DrawnNode } from '#pages/graph/picture/graphTypes.ts';

/** Creates a graph from nodes in YAML's flow style and edges such as `a>b`. */
function createGraph(nodes: readonly string[], edges: readonly string[]): AgentPicture {
	const lines = edges.map(edge => {
		const [source, target, handle = 'source'] = edge.split('>');
		return `      - {source: ${source}, target: ${target}, sourceHandle: "${handle}"}`;
	});
	const text = `app: {name: x, mode: workflow}\nworkflow:\n  graph:\n    nodes:\n${nodes.map(node => `      - ${node}`).join('\n')}\n    edges:${lines.length ? `\n${lines.join('\n')}` : ' []'}\n`;
	const graph = parseAgentPicture(text);
	assert.ok(graph);
	return graph;
}

const formatCodeNode = (id: string, more = '') => `{id: ${id}, ${more} data: {type: code, title: ${id.toUpperCase()}}}`;
const formatPosition = (x: number, y: number) => `position: {x: ${x}, y: ${y}},`;
const mapNodesById = ({ nodes }: AgentPicture) => Object.fromEntries(nodes.map(node => [node.id, node])) as Record<string, DrawnNode>;

function findOverlapping({ nodes }: AgentPicture): string[] {
	const isInside = (inner: DrawnNode, outer: DrawnNode): boolean =>
		inner.parent === outer.id || nodes.some(each => each.id === inner.parent && isInside(each, outer));
	return nodes.flatMap((a, place) =>
		nodes
			.slice(place + 1)
			.filter(b => !isInside(a, b) && !isInside(b, a))
			.filter(b => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height)
			.map(b => `${a.id} and ${b.id}`),
	);
}

describe('graph of an agent file', () => {
	it('keeps the positions of the file', () => {
		const graph = createGraph(
			[
				formatCodeNode('a', formatPosition(0, 300)),
				formatCodeNode('up', formatPosition(300, 100)),
				formatCodeNode('down', formatPosition(310, 500)),
				formatCodeNode('b', formatPosition(620, 300)),
			],
			['a>up', 'a>down', 'up>b', 'down>b'],
		);
		const { a, up, down, b } = mapNodesById(graph);
		assert.ok(a && up && down && b);
		assert.ok(a.x + a.width < up.x && down.x - up.x === 10 && down.x + down.width < b.x);
		assert.ok(up.y < a.y && a.y < down.y && a.y === b.y);
		assert.deepEqual(findOverlapping(graph), []);
	});

	it('is laid out in layers if the file has no positions', () => {
		const graph = createGraph(
			[formatCodeNode('a'), formatCodeNode('b'), formatCodeNode('c'), formatCodeNode('end')],
			['a>b', 'a>c', 'b>end', 'c>end'],
		);
		const { a, b, c, end } = mapNodesById(graph);
		assert.ok(a && b && c && end);
		assert.ok(a.x < b.x && b.x === c.x && c.x < end.x);
		assert.deepEqual(findOverlapping(graph), []);
	});

	it('is laid out in layers if the nodes of the file overlap', () => {
		const graph = createGraph(
			[formatCodeNode('a', formatPosition(5, 5)), formatCodeNode('b', formatPosition(5, 5)), formatCodeNode('c', formatPosition(5, 5))],
			['a>b', 'b>c'],
		);
		const { a, b, c } = mapNodesById(graph);
		assert.ok(a && b && c && a.x < b.x && b.x < c.x);
	});

	it('draws containers around their nodes at any depth', () => {
		const graph = createGraph(
			[
				formatCodeNode('a', formatPosition(0, 0)),
				'{id: each, position: {x: 300, y: 0}, width: 10, height: 10, data: {type: iteration, title: Each}}',
				'{id: s, parentId: each, position: {x: 20, y: 60}, data: {type: iteration-start, title: ""}}',
				'{id: again, parentId: each, position: {x: 130, y: 60}, data: {type: loop, title: Again}}',
				'{id: t, parentId: again, data: {type: loop-start, title: ""}}',
				'{id: in, parentId: again, data: {type: code, title: In}}',
				formatCodeNode('b', formatPosition(600, 0)),
			],
			['a>each', 'each>b', 's>again', 't>in'],
		);
		const nodes = mapNodesById(graph);
		const { each, again, in: inner, b } = nodes;
		assert.ok(each?.container && again?.container && inner && b);
		for (const [child, around] of [
			[again, each],
			[inner, again],
			[nodes['s'], each],
		] as const) {
			assert.ok(child && child.x > around.x && child.x + child.width < around.x + around.width, child?.id);
			assert.ok(child.y > around.y && child.y + child.height < around.y + around.height, child.id);
		}
		assert.deepEqual(findOverlapping(graph), []);
	});

	it('shows the names of branches', () => {
		const graph = createGraph(
			[
				'{id: if, data: {type: if-else, title: If, cases: [{case_id: one}, {case_id: two}]}}',
				'{id: sort, data: {type: question-classifier, title: Sort, classes: [{id: "1", name: A question about how things work}]}}',
				formatCodeNode('x'),
			],
			['if>x>one', 'if>x>two', 'if>x>false', 'sort>x>1', 'sort>x>fail-branch', 'x>sort>success-branch'],
		);
		assert.deepEqual(
			graph.edges.map(({ handle, label }) => [handle, label]),
			[
				['one', 'IF'],
				['two', 'ELIF 1'],
				['false', 'ELSE'],
				['1', 'A question about…'],
				['fail-branch', 'fail-branch'],
				['source', undefined],
			],
		);
	});

	it('contains the valid parts of an invalid file', () => {
		const graph = createGraph(
			[
				'{data: {type: code}}',
				'{id: note, type: custom-note, data: {type: ""}}',
				'{id: lost, parentId: gone, data: {type: code}}',
				formatCodeNode('a'),
			],
			['a>nowhere', 'a>a', 'lost>a'],
		);
		assert.deepEqual(graph.nodes.map(({ id, title }) => [id, title]).sort(), [
			['a', 'A'],
			['lost', 'lost'],
		]);
		assert.deepEqual(
			graph.edges.map(({ source, target }) => [source, target]),
			[['a', 'a']],
		);
		assert.deepEqual(
			graph.loose.map(({ source, target }) => [source, target]),
			[
				['a', 'nowhere'],
				['lost', 'a'],
			],
		);
	});

	it('cuts long titles', () => {
		const long = 'T'.repeat(1_000_000);
		const nodes = [{ id: 'a', data: { type: 'code', title: long, desc: long, code: long, code_language: long } }];
		const picture = parseAgentPicture(JSON.stringify({ workflow: { graph: { nodes, edges: [{ source: 'a', target: long }] } } }));
		assert.ok(JSON.stringify(picture).length < 5000);
	});

	it("is undefined for a file without a workflow, and reports the line if the text isn't YAML", () => {
		assert.equal(parseAgentPicture('app: {name: x, mode: agent-chat}'), undefined);
		assert.equal(parseAgentPicture(''), undefined);
		assert.throws(() => parseAgentPicture('app: [\nworkflow: }'), /line \d/);
	});

	for (const name of fs.readdirSync(path.join(import.meta.dirname, '../../../../../samples/agents'))) {
		it(`has no overlapping nodes for the sample ${name}`, () => {
			const text = fs.readFileSync(path.join(import.meta.dirname, '../../../../../samples/agents', name), 'utf8');
			const graph = parseAgentPicture(text);
			assert.equal(graph === undefined, /^model_config:/m.test(text), 'apps of model_config have none');
			assert.ok(!graph || graph.nodes.length > 2);
			assert.deepEqual(graph ? findOverlapping(graph) : [], []);
		});
	}
});
