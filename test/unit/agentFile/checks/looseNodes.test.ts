import assert from 'node:assert/strict';
import { findLooseNodes } from '#agentFile/checks/looseNodes.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';

const listLoose = (nodes: string[], edges: string[]) => {
	const text = `workflow:\n  graph:\n    nodes:\n${nodes.map(node => `      - ${node}\n`).join('')}    edges:\n${edges.map(edge => `      - ${edge}\n`).join('')}`;
	return findLooseNodes(new AgentReading(text)).map(({ offset, length }) => text.slice(offset, offset + length));
};
const start = '{ id: start, data: { type: start } }';
const createNode = (id: string, more = '') => `{ id: ${id}, data: { type: code }${more} }`;

describe('loose nodes of an agent file', () => {
	it('are those that no edge leads to', () => {
		const nodes = [start, createNode('a'), createNode('b'), createNode('c'), '{ id: note, data: { type: "" } }'];
		assert.deepEqual(listLoose(nodes, ['{ source: start, target: a }', '{ source: b, target: c }']), ['b']);
	});

	it("include nodes in containers, but not the container's start", () => {
		const each = '{ id: each, data: { type: iteration, start_node_id: first } }';
		const first = '{ id: first, parentId: each, data: { type: iteration-start } }';
		const nodes = [start, each, first, createNode('in', ', parentId: each'), createNode('out', ', parentId: each')];
		const edges = ['{ source: start, target: each }', '{ source: first, target: in }'];
		assert.deepEqual(listLoose(nodes, edges), ['out']);
	});

	it('are none without a start, which is reported instead', () => {
		assert.deepEqual(listLoose([createNode('a')], []), []);
	});
});
