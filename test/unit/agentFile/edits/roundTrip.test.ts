import assert from 'node:assert/strict';
import { applyOperation } from '#agentFile/edits/applyOperation.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { loadAgent } from '#engine/agentFile/agentFile.ts';
import type { FormOperation } from '#pages/graph/nodeForm/formTypes.ts';
import { createAgentWith, createForm, createFormOfLastNode, getFieldAt } from './formOf.ts';

/** Returns the text after an operation. */
function applyEdit(text: string, operation: FormOperation): string {
	const result = applyOperation(text, operation);
	assert.ok('changes' in result, JSON.stringify(result));
	return result.changes
		.toSorted((a, b) => b.offset - a.offset)
		.reduce((held, { offset, length, text: put }) => held.slice(0, offset) + put + held.slice(offset + length), text);
}

const getData = (text: string) =>
	(new AgentReading(text).content as { workflow: { graph: { nodes: { data: Record<string, unknown> }[] } } }).workflow.graph.nodes[1]
		?.data ?? {};

describe('a new item of a form', () => {
	const lists = [
		['if-else', { cases: [] }, ['cases']],
		['if-else', { cases: [{ case_id: 'true', logical_operator: 'and', conditions: [] }] }, ['cases', 0, 'conditions']],
		['llm', { model: { provider: 'x', name: 'offline', mode: 'chat', completion_params: {} }, prompt_template: [] }, ['prompt_template']],
		[
			'question-classifier',
			{ model: { provider: 'x', name: 'offline' }, query_variable_selector: ['start', 'q'], classes: [{ id: '1' }] },
			['classes'],
		],
		['code', { code: 'function main() { return {} }', code_language: 'javascript', variables: [], outputs: {} }, ['variables']],
		['end', { outputs: [] }, ['outputs']],
		['parameter-extractor', { model: { provider: 'x', name: 'offline' }, query: ['start', 'q'], parameters: [] }, ['parameters']],
		['variable-aggregator', { output_type: 'string', variables: [] }, ['variables']],
		['human-input', { form_content: '', inputs: [], user_actions: [{ id: 'ok', title: 'OK' }] }, ['user_actions']],
		['assigner', { version: '2', items: [] }, ['items']],
	] as const;
	for (const [type, data, path] of lists) {
		it(`in ${path.join('.')} of ${type} can be loaded by the engine, and differs from the others`, () => {
			let text = createAgentWith({ type, ...data });
			for (let round = 0; round < 3; round++) {
				const list = getFieldAt(createForm(text, 'n1')!, 'list', ...path);
				text = applyEdit(text, { do: 'insertItem', node: 'n1', path, at: list.items.length, value: list.fresh });
			}
			loadAgent(text, 'a');
			const list = getFieldAt(createForm(text, 'n1')!, 'list', ...path);
			const ids = list.items.flatMap(item =>
				item.kind === 'group' ? item.fields.filter(({ name }) => /^(case_id|id|variable|name)$/.test(name)) : [],
			);
			const held = ids.map(field => ('value' in field ? field.value : '')).filter(Boolean);
			assert.equal(new Set(held).size, held.length, held.join(', '));
			assert.ok(list.items.length >= 3);
		});
	}

	it('uses the nearest earlier variable that the field accepts', () => {
		const list = getFieldAt(createFormOfLastNode({ type: 'variable-aggregator', variables: [] }), 'list', 'variables');
		assert.deepEqual(list.fresh, ['start', 'q']);
		const files = getFieldAt(
			createFormOfLastNode({ type: 'document-extractor', variable_selector: ['start', 'docs'] }),
			'selector',
			'variable_selector',
		);
		assert.deepEqual(files.takes, ['array[file]']);
	});
});

describe('an operation of a form', () => {
	it('on a condition keeps everything around it, including comments', () => {
		const text = `kind: app
app: { mode: workflow, name: a }
workflow:
  graph:
    nodes:
      - id: start
        data: { type: start, title: Start, variables: [{ variable: q, type: paragraph }] }
      - id: n1
        data:
          type: if-else
          title: Which # the way
          cases:
            - case_id: "true" # first
              logical_operator: and
              conditions:
                # long texts
                - variable_selector: [start, q]
                  comparison_operator: contains
                  value: word
    edges: [{ source: start, target: n1 }]
`;
		const condition = getFieldAt(createForm(text, 'n1')!, 'group', 'cases', 0, 'conditions', 0);
		const changed = applyEdit(text, {
			do: 'set',
			node: 'n1',
			path: condition.path,
			value: { ...(condition.value as object), variable_selector: ['sys', 'user_id'], varType: 'string' },
		});
		assert.equal(
			changed,
			text.replace('[start, q]\n', '[sys, user_id]\n').replace('value: word\n', 'value: word\n                  varType: string\n'),
		);
		assert.deepEqual((getData(changed)['cases'] as { conditions: unknown[] }[])[0]?.conditions[0], {
			variable_selector: ['sys', 'user_id'],
			comparison_operator: 'contains',
			value: 'word',
			varType: 'string',
		});
	});

	it('on code keeps the comment after its block mark', () => {
		const text = `kind: app
workflow:
  graph:
    nodes:
      - id: n1
        data:
          type: code
          code: | # the program
            a
            b
          variables: []
`;
		const setCode = (value: string) => applyEdit(text, { do: 'set', node: 'n1', path: ['code'], value });
		assert.equal(setCode('a\nc\n'), text.replace('            b\n', '            c\n'));
		assert.equal(setCode('a\nb'), text.replace('| #', '|- #'));
		assert.equal(setCode('a'), text.replace(/\| # the program\n.*\n.*\n/, '|- # the program\n            a\n'));
	});

	it("offers the comparisons for the variable's type, and keeps an existing one", () => {
		const createValueField = (variable: string) =>
			getFieldAt(
				createFormOfLastNode({
					type: 'if-else',
					cases: [{ case_id: 'true', conditions: [{ variable_selector: ['start', variable], comparison_operator: '=' }] }],
				}),
				'select',
				'cases',
				0,
				'conditions',
				0,
				'comparison_operator',
			).options;
		assert.ok(createValueField('q').includes('start with') && !createValueField('q').includes('>'));
		assert.ok(createValueField('n').includes('>') && !createValueField('n').includes('start with'));
		assert.ok(createValueField('docs').includes('all of'));
		assert.ok(createValueField('nothing').length > 15);
	});
});
