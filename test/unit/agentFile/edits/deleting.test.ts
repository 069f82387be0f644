import assert from 'node:assert/strict';
import { deleteNodes } from '#agentFile/edits/deleting.ts';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';

describe('deleting a node', () => {
	it('takes time proportional to the number of containers', () => {
		const createLoop = (id: string) => ({ id, type: 'loop', title: id, data: { start_node_id: `${id}-begin` }, parent: undefined });
		const createInnerStart = (id: string) => ({ id: `${id}-begin`, type: 'loop-start', title: '', data: {}, parent: id });
		const ids = Array.from({ length: 10_000 }, (_, i) => `n${i}`);
		const nodes = ids.flatMap(id => [createLoop(id), createInnerStart(id)]);
		const rawNodes = nodes.map(({ id, parent }) => ({ id, ...(parent && { parentId: parent }) }));
		const at = new Map(nodes.map(({ id }, index) => [id, index]));
		const file = {
			nodes: new Map(nodes.map(node => [node.id, node])),
			graph: { nodes, edges: [] },
			rawNodes,
			getNodeIndex: (id: string) => at.get(id),
			getNodeName: (id: string) => id,
			t: fillPlaceholders,
			throwRefused: (message: string) => assert.fail(message),
		};
		const started = performance.now();
		assert.equal(deleteNodes(file as never, ['n5']).length, 2);
		assert.ok(performance.now() - started < 1_000, `${Math.round(performance.now() - started)} ms`);
	});
});
