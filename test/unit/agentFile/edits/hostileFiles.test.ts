import assert from 'node:assert/strict';
import { readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { applyOperation } from '#agentFile/edits/applyOperation.ts';
import { copyNodes } from '#agentFile/edits/copying.ts';
import { Refused } from '#agentFile/edits/editedFile.ts';
import type { GraphOperation } from '#agentFile/edits/graphOperations.ts';
import { findReferrers } from '#agentFile/edits/referrers.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { applyChanges } from '#agentFile/writing/textChanges.ts';

const head = 'version: "0.6.0"\nkind: app\napp: { name: a, mode: workflow }\n';
const start = '    - id: start\n      data: { type: start, title: S, variables: [] }\n';
const end = '    - id: a\n      data: { type: end, title: E, outputs: [] }\n';
const createGraph = (nodes: string, edges = '[]') => `${head}workflow:\n  graph:\n    nodes:\n${nodes}    edges: ${edges}\n`;

const files: Readonly<Record<string, string>> = {
	'doubled IDs': createGraph(start + start),
	'an ID twice, once without data': createGraph(`${start}    - id: start\n      type: custom\n`),
	'IDs that are no texts': createGraph(
		`${start}    - id: 1.5\n      data: { type: end, title: E, outputs: [] }\n    - id: true\n      data: { type: end }\n`,
		'[{source: start, target: 1.5}]',
	),
	'IDs with dots and spaces': createGraph(
		`${start}    - id: a.b\n      data: { type: answer, answer: "{{#start.x#}}" }\n    - id: "c d"\n      data: { type: end }\n`,
		'[{source: a.b, target: c d}]',
	),
	'nodes that are none': createGraph(`    - null\n    -\n${start}    - ~\n    - 5\n    - [a]\n`, '[null, ~, 5, {source: start}]'),
	'nodes that are aliases': `${head}x: &n { id: a, data: { type: end, title: E, outputs: [] } }\nworkflow:\n  graph:\n    nodes:\n${start}    - *n\n    edges: [{source: start, target: a}]\n`,
	'lists that are aliases': `${head}x: &n\n- id: start\n  data: { type: start, title: S, variables: [] }\n- id: a\n  data: { type: end, title: E, outputs: [] }\ne: &e [{source: start, target: a}]\nworkflow:\n  graph:\n    nodes: *n\n    edges: *e\n`,
	'a graph that is merged': `${head}x: &g\n  nodes:\n  - id: start\n    data: { type: start, title: S, variables: [] }\nworkflow:\n  graph:\n    <<: *g\n    edges: []\n`,
	'edges in one line': createGraph(start + end, '[{id: x,source: start,target: a},{source: start,target: a,sourceHandle: y}, ]'),
	'edges in brackets with comments': createGraph(start + end, '[\n      # c\n      {source: start, target: a}, # d\n      # e\n    ]'),
	tabs: createGraph(`${start.replaceAll(/: /g, ':\t')}    - id: a\n      data: { type: end,\ttitle: E,\n\toutputs: [] }\t# c\n`),
	'a byte order mark': `\ufeff${createGraph(start + end)}`,
	'mixed line breaks': createGraph(
		`${start.replace('\n', '\r\n')}    - id: a\r\n      data:\n        type: end\r\n        title: |\n          a\r\n          b\n        outputs: []\r\n`,
	),
	'marks of documents': `%YAML 1.2\n---\n${createGraph(start + end)}...\n`,
	'two documents': `${createGraph(start)}---\n${createGraph(start)}`,
	'comments everywhere': createGraph(
		`    # 1\n${start}    # 2\n\n      # 3\n    - # 4\n      # 5\n      id: a # 6\n      data: # 8\n        # 9\n        type: end\n        title: E\n        outputs: # 12\n        # 13\n          - # 15\n            variable: o\n            value_selector: [start, x]\n  # 16\n`,
	),
	'explicit keys': createGraph(
		'    - ? id\n      : start\n      ? data\n      : ? type\n        : start\n        ? variables\n        : []\n    - ? id\n      : a\n      ? data\n      : { ? type : end, ? title : E }\n',
	),
	tags: createGraph(
		`${start}    - id: !custom a\n      data: !x\n        type: end\n        title: !!str\n          E\n        outputs: !!seq\n        - {variable: o, value_selector: [start, x]}\n      position: !!map {x: !!int 1, y: !!float 2}\n`,
	),
	'binary data and dates': createGraph(
		`${start}    - id: a\n      data: { type: end, b: !!binary aGVsbG8=, d: !!timestamp 2026-01-31, outputs: [] }\n`,
	),
	'a very long line': createGraph(`${start}    - {id: a, data: {type: end, title: "${'x'.repeat(100_000)}", outputs: []}}\n`),
	'names of prototypes': createGraph(
		'    - id: start\n      data: { type: start, title: S }\n    - id: __proto__\n      data:\n        type: end\n        __proto__: {a: 1}\n        constructor: [1]\n        outputs: []\n    - id: constructor\n      parentId: toString\n      data: { type: constructor, title: hasOwnProperty }\n    - id: toString\n      data: { type: loop, title: L, start_node_id: constructor }\n',
		'[{source: __proto__, target: constructor, sourceHandle: __proto__}]',
	),
	'an alias inside of its anchor': createGraph(`${start}    - id: a\n      data: &d { type: end, title: E, outputs: [], self: *d }\n`),
	'nodes that lie in each other': createGraph(
		`${start}    - id: a\n      parentId: b\n      data: { type: loop }\n    - id: b\n      parentId: a\n      data: { type: loop }\n`,
	),
	'nodes that are no list': `${head}workflow:\n  graph:\n    nodes: { start: { id: start } }\n    edges: 7\n`,
	'no lists at all': `${head}workflow:\n  graph: {}\n`,
	'places that are none': createGraph(
		`${start}    - id: a\n      position: 5\n      data: { type: end }\n    - id: b\n      position: { x: 1e400, y: .nan }\n      data: { type: end }\n    - id: c\n      position: { x: 0x10, y: 1_000 }\n      data: { type: end }\n`,
	),
	'kept line breaks': createGraph(
		`${start}    - id: a\n      data:\n        type: end\n        outputs: []\n        title: |+\n          x\n\n\n    - id: b\n      data:\n        type: end\n        title: >+2\n            x\n\n\n`,
	),
};

const pastes = [
	'hello',
	'',
	'nodes: [5]',
	'nodes: [{id: q, data: 5}]',
	'nodes: [{data: {}}]',
	'nodes: [{id: a, data: {type: end}}, {id: a, data: {type: end}}]',
	'nodes: [{id: p, parentId: q, data: {type: loop}}, {id: q, parentId: p, data: {type: loop}}]',
	'nodes: [{id: __proto__, data: {type: answer, title: T, answer: "{{#__proto__.x#}} {{#sys.query#}}"}}]\nedges: [5, {source: __proto__, target: zz}]',
	`nodes: [${'['.repeat(1000)}`,
];

function listOperations(text: string, ids: readonly string[]): readonly GraphOperation[] {
	const item = { variable: 'x', value_selector: ['start', 'x'] };
	const each = ids.flatMap((id, at): GraphOperation[] => {
		const createSetOperation = (value: unknown, ...path: (string | number)[]) => ({ do: 'set', node: id, path, value }) as const;
		const other = ids[(at + 1) % ids.length] ?? '';
		const from = { node: id, handle: 'source' };
		return [
			{ do: 'delete', nodes: [id, id] },
			{ do: 'duplicate', nodes: [id] },
			{ do: 'move', nodes: [{ id, x: Number.NaN, y: 1e300 }] },
			{ do: 'move', nodes: [{ id, x: 1.234, y: 5 }] },
			{ do: 'wrap', nodes: [id], container: 'loop' },
			{ do: 'rename', node: id, id: '__proto__' },
			{ do: 'add', type: 'llm', behind: from },
			{ do: 'add', type: 'code', behind: from, before: other },
			{ do: 'add', type: 'code', parent: id },
			{ do: 'connect', from, target: other },
			{ do: 'disconnect', from: { node: id, handle: 'constructor' }, target: other },
			createSetOperation('x', 'title'),
			createSetOperation(undefined, 'title'),
			createSetOperation('a\r\nb\u2028\u0000\ud800', 'title'),
			createSetOperation(1, '__proto__', 'polluted'),
			createSetOperation(1, 'constructor', 'prototype', 'polluted'),
			createSetOperation(1, 'outputs', 5, 'x'),
			createSetOperation(1, 'outputs', 'x'),
			createSetOperation([{ a: 1 }, []], 'new', 'deep', 'er'),
			createSetOperation(1, 'title', 'deep'),
			createSetOperation('x', '<<'),
			createSetOperation('x', 'a: b', '- c'),
			{ do: 'insertItem', node: id, path: ['outputs'], at: 0, value: item },
			{ do: 'insertItem', node: id, path: ['outputs'], at: Number.NaN, value: 1 },
			{ do: 'removeItem', node: id, path: ['constructor'], at: 0 },
			{ do: 'paste', text: copyOrFail(text, id) },
		];
	});
	return [
		...each,
		{ do: 'arrange' },
		{ do: 'delete', nodes: [] },
		{ do: 'wrap', nodes: [], container: 'loop' },
		{ do: 'add', type: 'toString' },
		{ do: 'add', type: 'llm', at: { x: Number.NaN, y: Number.POSITIVE_INFINITY } },
		...pastes.map(paste => ({ do: 'paste', text: paste }) as const),
	];
}

function copyOrFail(text: string, id: string): string {
	try {
		return copyNodes(text, [id]);
	} catch (error) {
		assert.ok(error instanceof Refused, (error as Error).stack);
		return '';
	}
}

describe('operations on a hostile file', () => {
	for (const [name, text] of Object.entries(files)) {
		it(`are applied, or rejected with a message: ${name}`, () => {
			const read = new AgentReading(text);
			const ids = [...new Set([...readAgentGraph(read.content).nodes.map(({ id }) => id), 'ghost', '__proto__', ''])];
			findReferrers(read, ids);
			for (const operation of listOperations(text, ids)) {
				const shown = JSON.stringify(operation);
				const result = applyOperation(read, operation);
				if ('refused' in result) {
					assert.match(result.refused, /\.$/, shown);
					continue;
				}
				const after = new AgentText(applyChanges(text, result.changes));
				assert.equal(after.error, undefined, shown);
				const known = readAgentGraph(after.content).nodes.map(({ id }) => id);
				assert.deepEqual(
					result.made.filter(id => !known.includes(id)),
					[],
					shown,
				);
			}
			assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
		});
	}

	it('are rejected if the file would exceed a limit', () => {
		const many = createGraph(
			start + Array.from({ length: 500 }, (_, at) => end.replace('a\n', `a${at}\n`).replace('E', `[${'1, '.repeat(99)}]`)).join(''),
		);
		const ids = readAgentGraph(new AgentText(many).content).nodes.map(({ id }) => id);
		const result = applyOperation(many, { do: 'duplicate', nodes: ids.filter(id => id !== 'start') });
		assert.match('refused' in result ? result.refused : '', /^Couldn't make the change\. The file has more than .*\.$/);
	});

	it('keep a field with the name of merge keys in copies', () => {
		const text = createGraph(`${start}    - id: a\n      data: { type: end, title: E, outputs: [], x: { "<<": { a: 1 } } }\n`);
		const result = applyOperation(text, { do: 'duplicate', nodes: ['a'] });
		const after = 'changes' in result ? applyChanges(text, result.changes) : '';
		const copy = readAgentGraph(new AgentText(after).content).nodes.find(({ id }) => id === 'a_2');
		assert.deepEqual(copy?.data?.['x'], { '<<': { a: 1 } });
	});

	it('keep the padding of its brackets', () => {
		for (const [list, map] of [
			['[start, x]', '{ a: 1 }'],
			['[ start, x ]', '{a: 1}'],
		]) {
			const text = createGraph(
				`${start.replace('{ type: start, title: S, variables: [] }', `\n        type: start\n        variables: []`)}    - id: a\n      data:\n        type: end\n        x: ${list}\n        y: ${map}\n        w: ${map}\n`,
			);
			const result = applyOperation(text, { do: 'set', node: 'a', path: ['z'], value: { list: ['start', 'x'], map: { a: 1 } } });
			const after = 'changes' in result ? applyChanges(text, result.changes) : '';
			assert.ok(after.includes(`list: ${list}\n`) && after.includes(`map: ${map}\n`), after);
		}
	});
});
