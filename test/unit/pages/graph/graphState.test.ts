import assert from 'node:assert/strict';
import { computeGraphState, findGraphRow } from '#pages/graph/graphState.ts';
import { findNextNode } from '#pages/graph/nextNode.ts';
import type { AgentPicture, DrawnNode } from '#pages/graph/picture/graphTypes.ts';
import type { TimelineRow } from '#runs/events/timeline.ts';

const createBox = (id: string, more: Partial<DrawnNode> = {}): DrawnNode => ({
	id,
	kind: 'code',
	icon: 'code',
	title: id,
	container: false,
	rows: [],
	marks: [],
	x: 0,
	y: 0,
	width: 10,
	height: 10,
	...more,
});

function createGraph(nodes: readonly DrawnNode[], edges: readonly string[]): AgentPicture {
	return {
		nodes,
		loose: [],
		notes: [],
		placed: [''],
		x: 0,
		y: 0,
		width: 1,
		height: 1,
		edges: edges.map(edge => {
			const [source = '', target = '', handle = 'source'] = edge.split('>');
			return { source, target, handle, from: { x: 0, y: 0 }, to: { x: 0, y: 0 } };
		}),
	};
}

const createRanRow = (nodeId: string, status = 'succeeded', more: Partial<TimelineRow> = {}): TimelineRow => ({
	id: `${nodeId}${more.round ?? ''}`,
	nodeId,
	kind: 'code',
	title: nodeId,
	status,
	start: 0,
	end: 5,
	...more,
});

const ended = { live: false, status: 'succeeded' } as const;
const going = { live: true, status: 'running' } as const;
const branch = createGraph(
	['start', 'if', 'yes', 'no', 'after-no', 'end'].map(id => createBox(id)),
	['start>if', 'if>yes>true', 'if>no>false', 'no>after-no', 'yes>end', 'after-no>end', 'if>end>other'],
);
const summarizeState = (graph: AgentPicture, rows: TimelineRow[], head: Parameters<typeof computeGraphState>[2]) => {
	const { nodes, taken } = computeGraphState(graph, rows, head);
	return {
		nodes: Object.fromEntries([...nodes].map(([id, { status }]) => [id, status])),
		taken: [...taken].map(({ source, target }) => `${source}>${target}`),
	};
};

describe('graph state of a run', () => {
	it('looks at each edge a few times only, in whatever order the nodes of a long skipped branch are', () => {
		const count = 300;
		const ids = Array.from({ length: count }, (_, at) => `n${at}`);
		const long = createGraph(
			[...ids.reverse(), 'start', 'if'].map(id => createBox(id)),
			['start>if', 'if>n0>true'],
		);
		let reads = 0;
		const edges = Array.from({ length: count - 1 }, (_, at) => ({
			...long.edges[0]!,
			target: `n${at + 1}`,
			get source() {
				reads++;
				return `n${at}`;
			},
		}));
		const rows = [createRanRow('start'), createRanRow('if', 'succeeded', { branch: 'false' })];
		const { nodes } = computeGraphState({ ...long, edges: [...long.edges, ...edges] }, rows, going);
		assert.deepEqual(
			ids.filter(id => nodes.get(id)?.status !== 'skipped'),
			[],
		);
		assert.ok(reads < 10 * count, `${reads} reads`);
	});

	it('marks taken and skipped branches while the run is live', () => {
		assert.deepEqual(
			summarizeState(
				branch,
				[createRanRow('start'), createRanRow('if', 'succeeded', { branch: 'true' }), createRanRow('yes', 'running')],
				going,
			),
			{
				nodes: { start: 'succeeded', if: 'succeeded', yes: 'running', no: 'skipped', 'after-no': 'skipped', end: 'waiting' },
				taken: ['start>if', 'if>yes'],
			},
		);
	});

	it("uses the predecessor if the service doesn't report the branch", () => {
		const rows = [
			createRanRow('start'),
			createRanRow('if'),
			createRanRow('yes', 'succeeded', { predecessor: 'if' }),
			createRanRow('end', 'succeeded', { predecessor: 'yes' }),
		];
		assert.deepEqual(summarizeState(branch, rows, ended).taken, ['start>if', 'if>yes', 'yes>end']);
	});

	it('follows the failure branch of a handled exception', () => {
		const graph = createGraph(
			['a', 'well', 'ill'].map(id => createBox(id)),
			['a>well', 'a>ill>fail-branch'],
		);
		assert.deepEqual(summarizeState(graph, [createRanRow('a', 'exception'), createRanRow('ill')], ended), {
			nodes: { a: 'exception', well: 'skipped', ill: 'succeeded' },
			taken: ['a>ill'],
		});
	});

	it('shows the most significant status of all iterations, and infers start nodes that were not reported', () => {
		const inside = { parent: 'each' };
		const graph = createGraph(
			[createBox('each', { container: true }), createBox('s', { ...inside, kind: 'iteration-start' }), createBox('in', inside)],
			['s>in'],
		);
		const rows = [
			createRanRow('each', 'running'),
			createRanRow('in', 'failed', { round: 1 }),
			createRanRow('in', 'succeeded', { round: 2 }),
		];
		assert.deepEqual(summarizeState(graph, rows, going), { nodes: { each: 'running', s: 'waiting', in: 'failed' }, taken: ['s>in'] });
	});

	it('shows unknown states for a run that was lost or sent no events', () => {
		assert.equal(summarizeState(branch, [createRanRow('start')], { live: false, status: 'lost' }).nodes['end'], 'unknown');
		assert.equal(summarizeState(branch, [], ended).nodes['end'], 'unknown');
		assert.equal(summarizeState(branch, [createRanRow('start')], ended).nodes['end'], 'skipped');
	});

	it("counts nodes that the file doesn't have", () => {
		assert.equal(
			computeGraphState(branch, [createRanRow('x'), createRanRow('x', 'succeeded', { round: 2 }), createRanRow('start')], ended).strange,
			1,
		);
	});

	it('shows the execution of the selected iteration, else the failed one, else the last', () => {
		const rows = [1, 2, 3].map(round => createRanRow('in', round === 2 ? 'failed' : 'succeeded', { round, parent: 'each' }));
		assert.equal(findGraphRow(rows, createRanRow('other', 'succeeded', { round: 3, parent: 'each' }))?.round, 3);
		assert.equal(findGraphRow(rows, rows[0])?.round, 1);
		assert.equal(findGraphRow(rows, undefined)?.round, 2);
		assert.equal(findGraphRow([], undefined), undefined);
	});
});

describe('arrow keys in a graph', () => {
	const nodes = [
		createBox('a', { x: 0, y: 100 }),
		createBox('each', { x: 100, y: 100, container: true }),
		createBox('in', { x: 120, y: 150, parent: 'each' }),
		createBox('b', { x: 300, y: 100 }),
		createBox('c', { x: 300, y: 300 }),
	];
	const findNextId = (id: string | undefined, key: string) =>
		findNextNode(
			nodes,
			nodes.find(node => node.id === id),
			key,
		)?.id;

	it('select the nearest node in their direction, into and out of containers', () => {
		assert.deepEqual(
			['a', 'each', 'in'].map(id => findNextId(id, 'ArrowRight')),
			['each', 'in', 'b'],
		);
		assert.deepEqual(
			['b', 'in', 'each', 'a'].map(id => findNextId(id, 'ArrowLeft')),
			['each', 'each', 'a', undefined],
		);
		assert.equal(findNextId('b', 'ArrowDown'), 'c');
		assert.equal(findNextId('c', 'ArrowUp'), 'b');
		assert.equal(findNextId('a', 'ArrowUp'), undefined);
	});

	it('start at the first node; Home and End select the outermost nodes; other keys select nothing', () => {
		assert.equal(findNextId(undefined, 'ArrowDown'), 'a');
		assert.equal(findNextId('b', 'Home'), 'a');
		assert.equal(findNextId('a', 'End'), 'c');
		assert.equal(findNextId('a', 'x'), undefined);
	});
});
