import assert from 'node:assert/strict';
import { AgentText } from '#agentFile/agentText.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { applyChanges } from '#agentFile/writing/textChanges.ts';
import type { ValueEdit } from '#agentFile/writing/valueEdits.ts';
import { writeEdits } from '#agentFile/writing/writeEdits.ts';

/** Values as PyYAML 6.0.3 reads them. */
const readThere: readonly (readonly [text: string, value: unknown])[] = [
	['a: |\n  x', 'x'],
	['a: >\n  x\n  y', 'x y'],
	['a: |+\n  x', 'x'],
	['a: |-\n  x', 'x'],
	['a: |\n  x ', 'x '],
	['a: |\n  x\n', 'x\n'],
	['a: |\n  x\n\n', 'x\n'],
	['a: |\n  x\n  ', 'x\n'],
	['a: |\n  x\n# c', 'x\n'],
	['a: |\n    ', ''],
];

const refusals = { shared: String, size: String, place: 'no place' };
const createGraph = (title: string) => `workflow:\n  graph:\n    nodes:\n    - id: a\n      data:\n        title: ${title}`;
const titlePath = ['workflow', 'graph', 'nodes', 0, 'data', 'title'];

function applyEdits(text: string, ...edits: ValueEdit[]): string {
	return applyChanges(text, writeEdits(new AgentReading(text), edits, refusals));
}

describe('a block at the end of a file without a last line break', () => {
	for (const [text, value] of readThere) {
		it(`is read as in Dify: ${JSON.stringify(text)}`, () => {
			assert.deepEqual(new AgentText(text).content, { a: value });
		});
	}

	it('is read the same way in a node', () => {
		const { content, root } = new AgentReading(createGraph('|\n          x'));
		assert.deepEqual(content, { workflow: { graph: { nodes: [{ id: 'a', data: { title: 'x' } }] } } });
		assert.ok(root);
	});

	it('keeps its value when something is inserted after it', () => {
		const nodes = ['workflow', 'graph', 'nodes'];
		const insert: ValueEdit = { kind: 'insert', path: nodes, at: 1, values: [{ id: 'b' }] };
		assert.equal(applyEdits(createGraph('|\n          x'), insert), `${createGraph('|-\n          x')}\n    - id: b\n`);
		assert.equal(applyEdits(createGraph('>+\n          x'), insert), `${createGraph('>-\n          x')}\n    - id: b\n`);
		assert.equal(applyEdits(createGraph('|2\n          x'), insert), `${createGraph('|2-\n          x')}\n    - id: b\n`);
		assert.equal(applyEdits('a: |\r\n  x', { kind: 'set', path: ['b'], value: 1 }), 'a: |-\r\n  x\r\nb: 1\r\n');
	});

	it('keeps its bytes when something else changes', () => {
		const text = `${createGraph('x')}\n        note: |\n          y`;
		assert.equal(applyEdits(text, { kind: 'set', path: titlePath, value: 'z' }), text.replace('title: x', 'title: z'));
	});

	it('can be moved', () => {
		const text = 'a:\n- |\n  x\n- |\n  y';
		const moved = applyEdits(text, { kind: 'move', path: ['a'], at: 1, to: 0 });
		assert.deepEqual(new AgentText(moved).content, { a: ['y', 'x\n'] });
	});

	it('can get a line break by an edit', () => {
		for (const value of ['x\n', 'x', 'x\ny\n', 'x\n\n']) {
			const text = applyEdits(createGraph('|\n          x'), { kind: 'set', path: titlePath, value });
			assert.equal((new AgentText(text).document?.getIn(titlePath) as string | undefined) ?? '', value);
		}
	});
});
