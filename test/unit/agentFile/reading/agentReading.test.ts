import assert from 'node:assert/strict';
import { AgentText } from '#agentFile/agentText.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';

const createNode = (id: string, fields = '      type: custom\n') => `    - id: ${id}\n${fields}`;

const createFile = (...nodes: readonly string[]) => `workflow:\n  graph:\n    nodes:\n${nodes.join('')}    edges: []\n`;

/** Reads a text after another one, as the editor does after an edit. */
function readAfterEdit(before: string, text: string): AgentReading {
	return new AgentReading(text, new AgentReading(before).parts);
}

describe('AgentReading', () => {
	const many = Array.from({ length: 50 }, (_, at) => createNode(`n${at}`));

	it('reads only the edited node again', () => {
		const before = new AgentReading(createFile(...many));
		const after = new AgentReading(createFile(...many.with(20, createNode('n20', '      type: custom-note\n'))), before.parts);
		const listParts = ({ parts: { whole } }: AgentReading) => whole?.lists[0]?.items.map(({ part }) => part) ?? [];
		assert.equal(listParts(after).length, 50);
		const changed = listParts(after).flatMap((part, at) => (part === listParts(before)[at] ? [] : [at]));
		assert.deepEqual(changed, [20]);
	});

	it('keeps the values of the other nodes as the same objects', () => {
		const listNodes = (reading: AgentReading) => (reading.content as { workflow: { graph: { nodes: unknown[] } } }).workflow.graph.nodes;
		const before = new AgentReading(createFile(...many));
		const after = new AgentReading(createFile(...many.with(20, createNode('n20', '      type: custom-note\n'))), before.parts);
		const changed = listNodes(after).flatMap((value, at) => (value === listNodes(before)[at] ? [] : [at]));
		assert.deepEqual(changed, [20]);
	});

	it('reports a list left open in a node like the reader of the whole text', () => {
		const text = createFile(createNode('a', '      position:\n        [\n'), createNode('b'));
		const { error } = new AgentReading(text);
		assert.deepEqual(error, new AgentText(text).error);
		assert.match(error?.message ?? '', /^Flow sequence in block collection/);
	});

	it('reports a misplaced anchor in an edited node like the reader of the whole text', () => {
		const text = createFile(createNode('a', '      type: custom\n      position:\n     &a    x: 0\n        y: 0\n'), createNode('b'));
		const { error } = readAfterEdit(createFile(createNode('a'), createNode('b')), text);
		assert.deepEqual(error, new AgentText(text).error);
		assert.equal(error?.message, 'All mapping items must start at the same column');
	});

	it('treats a lone carriage return as a line break in an edited node too', () => {
		const text = createFile(createNode('a', '      \rtype: custom\n'), createNode('b'));
		const { error, blocks } = readAfterEdit(createFile(createNode('a'), createNode('b')), text);
		const whole = new AgentReading(text);
		assert.deepEqual({ error, blocks }, { error: whole.error, blocks: whole.blocks });
	});
});
