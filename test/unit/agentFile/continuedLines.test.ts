import assert from 'node:assert/strict';
import fs from 'node:fs';
import { AgentText } from '#agentFile/agentText.ts';
import { findAgentFaults } from '#agentFile/checks/agentFaults.ts';
import { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { applyOperation } from '#agentFile/edits/applyOperation.ts';
import type { GraphOperation } from '#agentFile/edits/graphOperations.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { applyChanges, type TextChange } from '#agentFile/writing/textChanges.ts';
import { loadAgent } from '#engine/agentFile/agentFile.ts';
import { parseAgentPicture } from '#pages/graph/picture/agentPicture.ts';
import { agentFileSchemaPath } from '../../../scripts/agentFileSchema.ts';
import { english } from '../../support/english.ts';
import { runTestAgent } from '../engine/run/engineFixture.ts';

const schema = new AgentSchema(JSON.parse(fs.readFileSync(agentFileSchemaPath, 'utf8')));

/** Values as PyYAML 6.0.3 reads them. */
const readThere: readonly (readonly [text: string, value: unknown])[] = [
	["a:\n  b: 'x\ny'", { a: { b: 'x y' } }],
	['a:\n  b: "x\\\ny"\nc: 1\n', { a: { b: 'xy' }, c: 1 }],
	["a: 'x\n\n\ty'\nb: 1", { a: 'x\ny', b: 1 }],
	["a: 'x\r\ny'\r\nb: 1", { a: 'x y', b: 1 }],
	["a: 'it''s\n# y' # c\nb: 1", { a: "it's # y", b: 1 }],
	['a: "x \\"\ny\\\\"\nb: 1', { a: 'x " y\\', b: 1 }],
	["a: 'x\n---y'", { a: 'x ---y' }],
	["a:\n  'x\ny'\nb: 1", { a: 'x y', b: 1 }],
	["a: &x 'x\ny'\nb: *x", { a: 'x y', b: 'x y' }],
	["? 'a\nb'\n: c", { 'a b': 'c' }],
	["- - 'x\ny'\n  - b\n- c", [['x y', 'b'], 'c']],
	["%YAML 1.1\n---\na: 'x\ny'\n...\n", { a: 'x y' }],
	['a: {b: 1,\nc: 2}', { a: { b: 1, c: 2 } }],
	["a: [x\ny, 'z\n\n\tw']\nb: 1", { a: ['x y', 'z\nw'], b: 1 }],
	["a:\n  b: {c: 'x\ny', d: [e,\nf]}\n  g: |\n    'h\n", { a: { b: { c: 'x y', d: ['e', 'f'] }, g: "'h\n" } }],
	['a: [x,\n# c\ny]\nb: 1', { a: ['x', 'y'], b: 1 }],
	["a: 'x\ry'", { a: 'x y' }],
	['a: 1\rb: |\r  x\r  y\rc: 2', { a: 1, b: 'x\ny\n', c: 2 }],
];
/** Texts that PyYAML 6.0.3 rejects. */
const refusedThere = [
	"a: 'x\n--- y'\n",
	"a: 'x\ny': b",
	"a: 'x\ny' z\n",
	"a: 'x\ny",
	'a: [x,\ny]: c\n',
	'a: {b: 1,\n- c: 2}',
	'a: [x,\ny\nb: 1',
	"a: 'x\ny'\n---\nb: 1\n",
	// the open quotes end with an escaped quote
	"a:\n  b: 'x''\nc: 'd'\n",
	'a:\n  b: "x\\"\nc: "d"\n',
	"a: ['x''\n]\nb: 'c'\n",
	"workflow:\n  graph:\n    nodes:\n    - a: 'x''\n      b: ''\n",
];

const createAgent = (template: string, variables: string) => `app: {mode: workflow, name: lines}
kind: app
version: 0.6.0
workflow:
  graph:
    nodes:
      - id: start
        type: custom
        data: {type: start, title: Start, variables: []}
      - id: say
        type: custom
        data:
          type: template-transform
          title: Say
          template: ${template}
          variables: ${variables}
      - id: end
        type: custom
        data:
          type: end
          title: End
          outputs: [{variable: text, value_selector: [say, output]}]
    edges:
      - {id: a, source: start, target: say, sourceHandle: source, targetHandle: target}
      - {id: b, source: say, target: end, sourceHandle: source, targetHandle: target}
`;
/** An agent whose second line looks like an item of the list of edges. */
const template = "'Hello\n      - {id: c, source: start,\n\n\ttarget: end} {{ name }}'";
const continued = createAgent(template, '[{variable: name,\nvalue_selector: [sys,\nuser_id]}]');
const said = 'Hello - {id: c, source: start,\ntarget: end} ana';

function listChanges(text: string, operation: GraphOperation): readonly TextChange[] {
	const result = applyOperation(text, operation);
	assert.ok('changes' in result, 'refused' in result ? result.refused : '');
	return result.changes;
}

/** Returns the changes that undo the given ones. */
function createUndo(text: string, changes: readonly TextChange[]): readonly TextChange[] {
	let moved = 0;
	return changes
		.toSorted((a, b) => a.offset - b.offset)
		.map(({ offset, length, text: piece }) => {
			const undo = { offset: offset + moved, length: piece.length, text: text.slice(offset, offset + length) };
			moved += piece.length - length;
			return undo;
		});
}

describe('values whose lines continue at any column', () => {
	for (const [text, value] of readThere) {
		it(`are read as in Dify: ${JSON.stringify(text)}`, () => {
			const read = new AgentText(text);
			assert.equal(read.error, undefined);
			assert.deepEqual(read.content, value);
			assert.deepEqual(new AgentReading(text).content, value);
		});
	}

	for (const text of refusedThere) {
		it(`are rejected as in Dify: ${JSON.stringify(text)}`, () => {
			assert.equal(new AgentText(text).error?.kind, 'syntax');
			assert.equal(new AgentReading(text).error?.kind, 'syntax');
		});
	}

	it('keep their positions', () => {
		const text = "a:\n  b: 'x\ny'\n  c: [1,\n2]\nd: 1\n";
		const { document } = new AgentText(text);
		const getSource = (...path: string[]) => {
			const [start = 0, end = 0] = (document?.getIn(path, true) as { range?: [number, number, number] } | undefined)?.range ?? [];
			return text.slice(start, end);
		};
		assert.deepEqual([getSource('a', 'b'), getSource('a', 'c'), getSource('d')], ["'x\ny'", '[1,\n2]', '1']);
		assert.equal(new AgentText(text).getLineOfPath(['d']), 6);
		assert.equal(new AgentText('a: 1\rb: 2').getLineOfPath(['b']), 2);
	});

	it('can be loaded, drawn, checked and run', async () => {
		const reading = new AgentReading(continued);
		assert.deepEqual(findAgentFaults(reading, schema, english), []);
		assert.deepEqual(
			reading.blocks.map(({ id, start }) => [id, continued.slice(start, start + 6)]),
			[
				['start', 'id: st'],
				['say', 'id: sa'],
				['end', 'id: en'],
			],
		);
		assert.equal(parseAgentPicture(continued)?.nodes.length, 3);
		const { data } = await runTestAgent(loadAgent(continued, 'lines.yml'));
		assert.deepEqual([data.error, data.outputs], [null, { text: said }]);
	});

	it('keep their bytes when another value is set, and when that edit is undone', () => {
		const operations: readonly GraphOperation[] = [
			{ do: 'set', node: 'say', path: ['title'], value: 'Greet' },
			{ do: 'set', node: 'end', path: ['title'], value: 'Done' },
			{ do: 'set', node: 'say', path: ['variables', 0, 'variable'], value: 'user' },
			{ do: 'move', nodes: [{ id: 'say', x: 10, y: 20 }] },
			{ do: 'duplicate', nodes: ['say'] },
			{ do: 'rename', node: 'start', id: 'begin' },
			{ do: 'delete', nodes: ['end'] },
			{ do: 'arrange' },
			{ do: 'set', node: 'say', path: ['template'], value: 'Hi\nthere\n' },
		];
		for (const operation of operations) {
			const changes = listChanges(continued, operation);
			const changed = applyChanges(continued, changes);
			assert.equal(new AgentText(changed).error, undefined);
			assert.equal(changed.includes(template), operation !== operations.at(-1));
			assert.equal(applyChanges(changed, createUndo(continued, changes)), continued);
		}
	});

	it('are read the same after each change as in a new text', () => {
		let reading = new AgentReading(continued);
		for (const text of [continued.replace('End', 'The end'), continued.replace("'Hello", 'Hello'), continued, createAgent('x', '[]')]) {
			reading = new AgentReading(text, reading.parts);
			const fresh = new AgentReading(text);
			assert.deepEqual([reading.content, reading.error, reading.blocks], [fresh.content, fresh.error, fresh.blocks]);
		}
		assert.equal(reading.error, undefined);
	});

	it("don't end an open quote", () => {
		const open = createAgent("'Hello", '[]').replace('title: End', "title: 'End'");
		const { error, blocks } = new AgentReading(open);
		assert.match(error?.message ?? '', /quote/);
		assert.deepEqual(
			blocks.map(({ id }) => id),
			['start', 'say', 'end'],
		);
	});

	it('can contain tabs in quotes', () => {
		const text = createAgent("'a\n\tb\n\"c\td'", '[]');
		assert.deepEqual(findAgentFaults(new AgentReading(text), schema, english), []);
	});

	it('are subject to the same limits as other values', () => {
		const deep = `a: 'x\ny'\nb: ${'['.repeat(101)}${']'.repeat(101)}`;
		assert.equal(new AgentText(deep).error?.kind, 'size');
		// in the first reading, the quotes start and end the other way around
		const hidden = `a: 'x\ny'\nb: 'z' # '\n${`c: [1]\n`.repeat(300_000)}`;
		assert.ok(new AgentText(hidden).error);
	});
});
