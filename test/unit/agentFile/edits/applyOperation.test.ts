import assert from 'node:assert/strict';
import fs from 'node:fs';
import { readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { findAgentFaults } from '#agentFile/checks/agentFaults.ts';
import { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { applyOperation } from '#agentFile/edits/applyOperation.ts';
import { copyNodes } from '#agentFile/edits/copying.ts';
import type { GraphOperation } from '#agentFile/edits/graphOperations.ts';
import { canBePlacedIn, listAddableTypes } from '#agentFile/edits/newNode.ts';
import { findReferrers } from '#agentFile/edits/referrers.ts';
import { filterOccurrences, findNameOccurrences, type NamePlace } from '#agentFile/names/agentNames.ts';
import { createRenameChanges } from '#agentFile/names/renaming.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { isSelector } from '#agentFile/references.ts';
import { applyChanges } from '#agentFile/writing/textChanges.ts';
import { loadAgent } from '#engine/agentFile/agentFile.ts';
import { agentFileSchemaPath } from '../../../../scripts/agentFileSchema.ts';
import { english } from '../../../support/english.ts';
import { nastyAgentFiles } from '../../../support/nastyAgentFiles.ts';

const { anchors = '', flow = '', lastLine = '', empty = '' } = nastyAgentFiles;
const support = fs.readFileSync(new URL('../../../../samples/agents/support.yml', import.meta.url), 'utf8');

function applyEdit(text: string, operation: GraphOperation): string {
	const result = applyOperation(text, operation);
	assert.ok('changes' in result, 'refused' in result ? result.refused : '');
	return applyChanges(text, result.changes);
}

const schema = new AgentSchema(JSON.parse(fs.readFileSync(agentFileSchemaPath, 'utf8')));

function findFaults(text: string): string[] {
	return findAgentFaults(new AgentReading(text), schema, english).map(({ message }) => message);
}

/** Returns the text with an added loop, and the ID of its inner start. */
function addLoop(text: string): [text: string, first: string] {
	const result = applyOperation(text, { do: 'add', type: 'loop', behind: { node: 'start', handle: 'source' } });
	assert.ok('changes' in result);
	return [applyChanges(text, result.changes), result.made[1] ?? ''];
}

function getRefusal(text: string, operation: GraphOperation): string {
	const result = applyOperation(text, operation);
	assert.ok('refused' in result, JSON.stringify(result));
	return result.refused;
}

describe('operations on the graph of an agent file', () => {
	it('override an aliased or merged field locally', () => {
		const path = ['model', 'completion_params', 'temperature'];
		const set = { do: 'set', node: 'answer_question', path, value: 1 } as const;
		assert.equal(
			applyEdit(support, set),
			support.replace(/(title: Answer the question\n +model: )\*model/, '$1{ <<: *model, completion_params: { temperature: 1 } }'),
		);
		const merged = applyEdit(anchors, { do: 'set', node: 'a', path: ['context', 'enabled'], value: true });
		assert.match(merged, /outputs|prompt_template: .*\n {16}context:/);
		assert.match(merged, /context: &context \{enabled: false, variable_selector: \[\]\}/);
	});

	it('keep quotes and block style if they can represent the new string', () => {
		assert.equal(
			applyEdit(anchors, { do: 'set', node: 'start', path: ['title'], value: "It's" }),
			anchors.replace(`It''s "Start"`, "It''s"),
		);
		assert.equal(applyEdit(flow, { do: 'set', node: 't', path: ['title'], value: 'a\nb' }), flow.replace('T, [x] {y}', 'a\\nb'));
		assert.match(applyEdit(lastLine, { do: 'set', node: 'end', path: ['title'], value: 'x\n\ny' }), /title: \|-\n {10}x\n\n {10}y$/);
		assert.equal(applyEdit(anchors, { do: 'set', node: 'a', path: ['title'], value: 'Folded title' }), anchors, 'nothing changed');
	});

	it('insert the first item of a list and remove the last one', () => {
		const edge = { from: { node: 'start', handle: 'source' }, target: 'end' };
		const connected = applyEdit(applyEdit(empty, { do: 'add', type: 'end' }), { do: 'connect', ...edge });
		assert.match(connected, /edges: # none yet\n {6}- id: start-source-end-target\n/);
		assert.match(applyEdit(connected, { do: 'disconnect', ...edge }), /edges: \[\] # none yet\n$/);
	});

	for (const type of listAddableTypes().filter(each => each !== 'start')) {
		it(`add nodes that the engine loads and the editor finds no problems in: ${type}`, () => {
			const isInner = canBePlacedIn(type, 'loop');
			for (const text of [empty, flow]) {
				const [around, made] = isInner ? addLoop(text) : [text, 'start'];
				const place = type.startsWith('trigger-') ? {} : { behind: { node: made, handle: 'source' } };
				const after = applyEdit(around, { do: 'add', type, ...place });
				assert.doesNotThrow(() => loadAgent(after, 'a.yml'));
				const known = findFaults(around);
				assert.deepEqual(
					// conversation variables are defined outside the graph
					findFaults(after).filter(fault => !known.includes(fault) && !fault.startsWith("'conversation' has no")),
					[],
					after,
				);
			}
		});
	}

	it('refuse to add nodes where their type is not allowed', () => {
		const [looped, first] = addLoop(empty);
		const getAddRefusal = (text: string, type: string, node: string) =>
			getRefusal(text, { do: 'add', type, behind: { node, handle: 'source' } });
		assert.match(getAddRefusal(empty, 'loop-end', 'start'), /can only be placed in a loop/);
		for (const type of ['end', 'human-input']) {
			assert.match(getAddRefusal(looped, type, first), /can't be placed in an iteration or loop/);
		}
		for (const type of ['trigger-webhook', 'start']) {
			assert.match(getAddRefusal(empty, type, 'start'), /can't follow another node|already has a start/);
		}
		assert.match(getRefusal(empty, { do: 'add', type: '__proto__' }), /can't be added/);
	});

	it('set the input of a new node to an output of the node before it', () => {
		const findSelector = (text: string) => {
			// biome-ignore lint/suspicious/noExplicitAny: a file as it is
			const nodes = (new AgentReading(text).content as any).workflow.graph.nodes;
			return nodes.at(-1).data.outputs[0].value_selector.join('.');
		};
		const getNewNodeSelector = (node: string, handle: string) =>
			findSelector(applyEdit(support, { do: 'add', type: 'end', behind: { node, handle } }));
		assert.equal(getNewNodeSelector('answer_question', 'source'), 'answer_question.text');
		assert.equal(getNewNodeSelector('facts', 'source'), 'facts.station', 'not how the extraction went');
		assert.equal(getNewNodeSelector('sort', 'question'), 'start.message', 'not the name of the class');
	});

	it('place a new node so that it covers no card, regardless of the height of the others', () => {
		const many = applyEdit(support, {
			do: 'set',
			node: 'facts',
			path: ['parameters'],
			value: Array.from({ length: 8 }, (_, at) => ({ name: `p${at}`, type: 'string', description: '', required: false })),
		});
		const text = applyEdit(many, { do: 'add', type: 'llm', behind: { node: 'sort', handle: 'fault' } });
		// biome-ignore lint/suspicious/noExplicitAny: a file as it is
		const nodes = (new AgentReading(text).content as any).workflow.graph.nodes;
		const getPosition = (id: string) => nodes.find((node: { id: string }) => node.id === id).position;
		const made = nodes.at(-1);
		assert.ok(
			Math.abs(made.position.x - getPosition('facts').x) >= 240 || Math.abs(made.position.y - getPosition('facts').y) >= 48 + 9 * 22,
			JSON.stringify(made.position),
		);
	});

	it('connect only nodes that the engine accepts', () => {
		const getConnectRefusal = (node: string, handle: string, target: string) =>
			getRefusal(support, { do: 'connect', from: { node, handle }, target });
		assert.match(getConnectRefusal('sort', 'nothing', 'facts'), /no output handle 'nothing'. Expected one of question, fault/);
		assert.match(getConnectRefusal('facts', 'source', 'start'), /is a start/);
		assert.match(getConnectRefusal('answer_question', 'source', 'sort'), /cycle/);
		assert.match(getConnectRefusal('start', 'source', 'sort'), /already/);
		assert.match(getConnectRefusal('start', 'source', 'ghost'), /'ghost' isn't a node/);
	});

	it('delete nodes with their edges, and list references to them beforehand', () => {
		const text = applyEdit(anchors, { do: 'delete', nodes: ['a'] });
		assert.ok(!/what it does|source: a|target: a/.test(text) && text.includes('# begins') && text.includes('# the last one'));
		assert.deepEqual(findReferrers(anchors, ['a']), [
			{ node: 'end', title: 'kept\n\n', path: ['outputs', 0, 'value_selector'], refersTo: 'a', variable: 'text' },
		]);
		assert.match(getRefusal(anchors, { do: 'delete', nodes: ['start'] }), /last start node/);
	});

	it('rename a node and all references to it', () => {
		const text = applyEdit(anchors, { do: 'rename', node: 'a', id: 'on' });
		assert.match(text, /id: "on"[\s\S]*value_selector: \["on", text\][\s\S]*target: "on"\}[\s\S]*source: "on"/);
		assert.match(getRefusal(anchors, { do: 'rename', node: 'a', id: 'end' }), /already in use/);
		assert.match(getRefusal(anchors, { do: 'rename', node: 'a', id: 'a b' }), /isn't a valid node ID/);
	});

	const search = `workflow:
  graph:
    nodes:
      - id: start
        data: { type: start, title: Start, variables: [{ variable: q, type: paragraph }] }
      - id: search
        data:
          type: tool
          title: Search
          tool_parameters:
            tags: { type: constant, value: [search, web] }
            css_selector: { type: constant, value: { url_selector: [search, web] } }
            text: { type: variable, value: [search, text] }
          tool_configurations: { area_selector: [search, web] }
      - id: repeat
        data:
          type: loop
          title: Repeat
          start_node_id: ''
          loop_variables:
            - { label: words, var_type: 'array[string]', value_type: constant, value: [search, web] }
            - { label: found, var_type: string, value_type: variable, value: [search, text] }
      - id: keep
        data:
          type: assigner
          version: '2'
          title: Keep
          items:
            - { variable_selector: [conversation, a], input_type: constant, operation: set, value: [search, web] }
            - { variable_selector: [conversation, a], input_type: variable, operation: over-write, value: [search, text] }
    edges: []
`;

	it('rename no constant that looks like a reference', () => {
		const renamed = search.replace('id: search', 'id: find').replaceAll('[search, text]', '[find, text]');
		assert.equal(applyEdit(search, { do: 'rename', node: 'search', id: 'find' }), renamed);
	});

	it('copy constants unchanged, and report no constant as a reference', () => {
		const text = applyEdit(search, { do: 'duplicate', nodes: ['search', 'repeat', 'keep'] });
		assert.equal(text.split('[search, web]').length - 1, 10);
		assert.equal(text.split('[search_2, text]').length - 1, 3);
		assert.deepEqual(
			findReferrers(search, ['search']).map(({ path }) => path.join('.')),
			['loop_variables.1.value', 'items.1.value'],
		);
	});

	it('rename a form input in the text of the form too', () => {
		const form = `workflow:
  graph:
    nodes:
      - id: ask
        data:
          type: human-input
          title: Ask
          form_content: "Note: {{#$output.note#}}, {{#$output.notes#}}"
          inputs: [{ type: paragraph, output_variable_name: note }, { type: paragraph, output_variable_name: notes }]
      - id: say
        data: { type: answer, title: Say, answer: '{{#ask.note#}} {{#$output.note#}}' }
    edges: []
`;
		const places = findNameOccurrences(new AgentReading(form));
		const changes = createRenameChanges(
			places,
			{ ...filterOccurrences(places, { scope: 'ask', variable: 'note' })[0] } as NamePlace,
			'remark',
		);
		assert.equal(
			applyChanges(form, changes),
			form
				.replace('{{#$output.note#}},', '{{#$output.remark#}},')
				.replace('name: note }', 'name: remark }')
				.replace('{{#ask.note#}}', '{{#ask.remark#}}'),
		);
	});

	for (const container of ['loop', 'iteration'] as const) {
		it(`give a new ${container} and its start unused IDs`, () => {
			const first = applyEdit(anchors, { do: 'add', type: container, behind: { node: 'start', handle: 'source' } });
			const renamed = applyEdit(first, { do: 'rename', node: container, id: 'again' });
			assert.doesNotThrow(() => loadAgent(applyEdit(renamed, { do: 'add', type: container }), 'a.yml'));
			assert.doesNotThrow(() => loadAgent(applyEdit(renamed, { do: 'wrap', nodes: ['a'], container }), 'a.yml'));
		});
	}

	it('copy nodes with the references between them into another file', () => {
		const copied = copyNodes(support, ['sort', 'facts']);
		const text = applyEdit(anchors, { do: 'paste', text: copied, at: { x: 5, y: 6 } });
		const { nodes, edges } = readAgentGraph(new AgentText(text).content);
		assert.deepEqual(
			nodes.slice(3).map(({ id, position }) => [id, position?.x]),
			[
				['sort', 5],
				['facts', 305],
			],
		);
		assert.deepEqual(edges.at(-1), { source: 'sort', target: 'facts', handle: 'fault', at: 2 });
		const twice = readAgentGraph(new AgentText(applyEdit(text, { do: 'duplicate', nodes: ['sort', 'facts'] })).content);
		assert.deepEqual(
			twice.nodes.slice(5).map(({ id }) => id),
			['sort_2', 'facts_2'],
		);
		assert.match(getRefusal(anchors, { do: 'paste', text: 'a: 1' }), /doesn't contain any nodes/);
	});

	it('wrap nodes in a container and connect their edges to it', () => {
		const text = applyEdit(anchors, { do: 'wrap', nodes: ['a'], container: 'loop' });
		assert.doesNotThrow(() => loadAgent(text, 'a.yml'));
		const { nodes, edges } = readAgentGraph(new AgentText(text).content);
		assert.equal(nodes.find(({ id }) => id === 'a')?.parent, 'loop');
		assert.deepEqual(
			edges.map(({ source, target }) => `${source} ${target}`),
			['start loop', 'loop end', 'loop_start a'],
		);
		assert.match(getRefusal(support, { do: 'wrap', nodes: ['answer_question', 'facts'], container: 'loop' }), /would both be first/);
	});

	it('move items with their comments', () => {
		const text = applyEdit(lastLine, {
			do: 'set',
			node: 'start',
			path: ['variables'],
			value: [{ variable: 'a' }, { variable: 'b' }],
		}).replace('        - variable: b', '        # second\n        - variable: b # b');
		assert.match(
			applyEdit(text, { do: 'moveItem', node: 'start', path: ['variables'], at: 1, to: 0 }),
			/ # second\n +- variable: b # b\n +- variable: a\n/,
		);
	});

	it('are rejected with a message if the file has no graph', () => {
		const arrange = { do: 'arrange' } as const;
		assert.match(getRefusal('a: [', arrange), /^Line 1 isn't valid YAML/);
		assert.match(getRefusal('app: { mode: chat }', arrange), /^The file has no graph/);
		assert.match(getRefusal(`a: ${'['.repeat(200)}`, arrange), /The file has lists or maps nested more than 100 levels deep/);
	});
});

describe('selectors in the nodes of an agent file', () => {
	it('are found in every field that the schema marks as a variable', () => {
		const paths: string[][] = [];
		const visitSchema = (schema: unknown, path: readonly string[]): void => {
			if (typeof schema !== 'object' || schema === null) {
				return;
			}
			for (const [key, value] of Object.entries(schema)) {
				if (key === 'refers' && value === 'variable') {
					paths.push([...path]);
				}
				visitSchema(value, [...path, key]);
			}
		};
		const { definitions } = JSON.parse(fs.readFileSync(agentFileSchemaPath, 'utf8')) as { definitions: Record<string, unknown> };
		for (const definition of Object.values(definitions)) {
			visitSchema(definition, []);
		}
		assert.ok(paths.length > 20);
		for (const path of paths) {
			// drop the schema's keywords, so that only keys and one index per list remain
			const keys = path.flatMap((key, at): (string | number)[] => {
				const before = path[at - 1];
				return before === 'properties' ? [key] : key === 'items' ? [0] : key === 'additionalProperties' ? ['any'] : [];
			});
			const isFound = isSelector(keys, () => 'variable');
			assert.ok(isFound, keys.join('/'));
		}
	});
});
