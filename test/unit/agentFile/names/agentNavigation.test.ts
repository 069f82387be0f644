import assert from 'node:assert/strict';
import { filterOccurrences, findNameAt, findNameOccurrences } from '#agentFile/names/agentNames.ts';
import { createAgentOutline } from '#agentFile/names/agentOutline.ts';
import { createRenameChanges, explainFixedName, explainRefusedName } from '#agentFile/names/renaming.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { english } from '../../../support/english.ts';

const file = `app: { mode: workflow }
workflow:
  environment_variables: [{ name: token, value_type: secret }]
  conversation_variables:
    - { name: mood, value_type: string }
  graph:
    nodes:
      - id: start
        data: { type: start, title: Begin, variables: [{ variable: text, type: paragraph }] }
      - id: '17'
        data:
          type: code
          title: Count
          variables: [{ variable: given, value_selector: [start, "text"] }]
          outputs: { size: { type: number } }
      - id: each
        data: { type: iteration, title: Each, iterator_selector: [17, size], start_node_id: inner }
      - id: inner
        parentId: each
        data: { type: iteration-start, iteration_id: each }
      - id: say
        data:
          type: answer
          answer: |
            {{#start.text#}} has {{#17.size#}}, {{#env.token#}}
            {{#start.text#}} again, {{#inner.x#}}
    edges:
      - { id: start-17, source: start, target: '17' }
      - { source: 17, target: each }
`;
const places = findNameOccurrences(new AgentReading(file));
const findRangeAt = (piece: string, into = 0) => {
	const offset = file.indexOf(piece);
	assert.ok(offset >= 0, piece);
	return findNameAt(places, offset + into);
};
const listTexts = (found: readonly { offset: number; length: number }[], text = file) =>
	found.map(({ offset, length }) => text.slice(offset, offset + length));
const renameAt = (piece: string, into: number, wanted: string): string => {
	const name = findRangeAt(piece, into);
	assert.ok(name);
	return createRenameChanges(places, name, wanted).reduceRight(
		(text, change) => text.slice(0, change.offset) + change.text + text.slice(change.offset + change.length),
		file,
	);
};

describe('names in an agent file', () => {
	it('are found in IDs, edges, containers, selectors and templates', () => {
		assert.deepEqual(listTexts(filterOccurrences(places, { scope: 'start' })), ['start', 'start', 'start', 'start', 'start']);
		assert.deepEqual(listTexts(filterOccurrences(places, { scope: '17' })), ['17', '17', '17', '17', '17']);
		assert.deepEqual(listTexts(filterOccurrences(places, { scope: 'each' })), ['each', 'each', 'each', 'each']);
		assert.deepEqual(listTexts(filterOccurrences(places, { scope: 'inner' })), ['inner', 'inner', 'inner']);
		assert.deepEqual(listTexts(filterOccurrences(places, { scope: 'start', variable: 'text' })), ['text', 'text', 'text', 'text']);
		assert.deepEqual(listTexts(filterOccurrences(places, { scope: '17', variable: 'size' })), ['size', 'size', 'size']);
		assert.deepEqual(listTexts(filterOccurrences(places, { scope: 'env', variable: 'token' })), ['token', 'token']);
	});

	it('are each defined in one place', () => {
		for (const name of [{ scope: 'start' }, { scope: '17' }, { scope: 'start', variable: 'text' }, { scope: '17', variable: 'size' }]) {
			assert.equal(filterOccurrences(places, name).filter(({ declares }) => declares).length, 1, JSON.stringify(name));
		}
	});

	it('are not found in text that only looks like a name', () => {
		assert.equal(findRangeAt('title: Count', 9), undefined);
		assert.equal(findRangeAt('start-17', 2), undefined);
		assert.deepEqual(findNameOccurrences(new AgentReading('')), []);
		assert.deepEqual(findNameOccurrences(new AgentReading('a: [')), []);
	});

	it('are renamed with all references, and nothing else', () => {
		const text = renameAt('{{#start.text#}}', 4, 'begin');
		assert.equal(text.split('begin').length - 1, 5);
		assert.ok(text.includes('id: start-17') && text.includes('type: start'));
		const again = renameAt('{{#start.text#}}', 9, 'words');
		assert.equal(again.split('words').length - 1, 4);
		assert.ok(again.includes('[start, "words"]'));
	});

	it('are renamed in a text that aliases stand for, once', () => {
		const text = `workflow:
  graph:
    nodes:
      - id: start
        data: { type: start, title: Begin, variables: [{ variable: text, type: paragraph }] }
      - id: a
        data: { type: answer, answer: &answer "It's {{#start.text#}}" }
      - id: b
        data: { type: answer, answer: *answer }
`;
		const places = filterOccurrences(findNameOccurrences(new AgentReading(text)), { scope: 'start' });
		assert.deepEqual(
			places.map(({ offset }) => offset),
			[text.indexOf('start\n'), text.indexOf('start.text')],
		);
		const outside = text
			.replace('workflow:', 'shared: &answer "It\'s {{#start.text#}}"\nworkflow:')
			.replace('&answer "It\'s {{#start.text#}}" }', '*answer }');
		assert.ok(findNameOccurrences(new AgentReading(outside)).some(({ offset }) => offset === outside.indexOf('start.text')));
	});

	it('get quotes if YAML would not read them as strings', () => {
		assert.ok(renameAt('id: start', 5, 'on').includes('id: "on"'));
		assert.ok(renameAt("id: '17'", 5, '18').includes("id: '18'"));
		assert.ok(renameAt("id: '17'", 5, '18').includes('{{#18.size#}}'));
	});

	it("can't be renamed if the file doesn't define them, or to a used or invalid name", () => {
		const text = findRangeAt('{{#inner.x#}}', 10);
		assert.ok(text);
		assert.match(explainFixedName(places, text, english) ?? '', /'x' can't be renamed/);
		const node = findRangeAt('id: start', 5);
		assert.ok(node);
		assert.equal(explainFixedName(places, node, english), undefined);
		for (const wanted of ['each', 'sys', 'a b', '', 'a.b', 'x'.repeat(51)]) {
			assert.ok(explainRefusedName(places, node, wanted, english), wanted);
		}
		assert.equal(explainRefusedName(places, node, '1_begin', english), undefined);
		const variable = findRangeAt('variable: text', 12);
		assert.ok(variable);
		assert.ok(explainRefusedName(places, variable, '1text', english));
		assert.equal(explainRefusedName(places, variable, 'size', english), undefined, 'another node’s');
	});
});

describe('the outline of an agent file', () => {
	const words = { environment: 'Env', conversation: 'Conv', formatEdgeCount: (count: number) => `${count} edges` };

	it('has its variables, nodes and edges, in the order of the text', () => {
		assert.deepEqual(
			createAgentOutline(new AgentReading(file), words).map(({ name, detail, children }) => [
				name,
				detail,
				children.map(each => each.name),
			]),
			[
				['Env', '', ['token']],
				['Conv', '', ['mood']],
				['Begin', 'start · start', []],
				['Count', 'code · 17', []],
				['Each', 'iteration · each', []],
				['inner', 'iteration-start · ↻ Each', []],
				['say', 'answer', []],
				['2 edges', '', []],
			],
		);
	});

	it('keeps each name within the range of its entry', () => {
		const broken = ['', 'workflow: {graph: {nodes: [{id: a}, {id: }, 3], edges: 4}}', file.slice(0, 700), `${file}\n  - [`];
		for (const text of broken) {
			for (const { whole, named } of createAgentOutline(new AgentReading(text), words)) {
				assert.ok(named.offset >= whole.offset && named.offset + named.length <= whole.offset + whole.length, text);
			}
		}
	});
});
