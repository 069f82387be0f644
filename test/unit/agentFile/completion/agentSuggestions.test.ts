import assert from 'node:assert/strict';
import fs from 'node:fs';
import { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { listAgentSuggestions } from '#agentFile/completion/agentSuggestions.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { agentFileSchemaPath } from '../../../../scripts/agentFileSchema.ts';
import { english } from '../../../support/english.ts';

const schema = new AgentSchema(JSON.parse(fs.readFileSync(agentFileSchemaPath, 'utf8')));

const file = (nodes: string, edges = '') => `app:
  mode: workflow
kind: app
workflow:
  graph:
    nodes:
      - id: start
        data:
          type: start
          title: Start
          variables:
            - { variable: text, label: The text, type: paragraph }
            - { variable: size, type: number }
      - id: each
        data:
          type: iteration
          title: For each
          start_node_id: inner
          iterator_selector: [start, text]
          output_selector: [start, text]
      - id: inner
        parentId: each
        data: { type: iteration-start }
      - id: pick
        data:
          type: if-else
          title: Which way
          cases:
            - case_id: long
              conditions: []
${nodes}    edges:
      - { source: start, target: pick }
      - { source: pick, target: write }
${edges}`;
/** Returns the completions at the bar. */
const offered = (marked: string) => {
	const offset = marked.indexOf('¦');
	const text = marked.replace('¦', '');
	return listAgentSuggestions(new AgentReading(text), offset, { schema, models: ['claude-haiku-4-5', 'offline'], t: english }).map(
		suggestion => ({
			...suggestion,
			after: text.slice(0, suggestion.offset) + suggestion.insert + text.slice(suggestion.offset + suggestion.length),
		}),
	);
};
const labels = (marked: string) => offered(marked).map(({ label }) => label);
/** Returns the line of the bar after a completion is inserted. */
const line = (marked: string, label: string) => {
	const found = offered(marked).find(each => each.label === label);
	assert.ok(found, `${label} among ${labels(marked).join(', ')}`);
	const at = marked.slice(0, marked.indexOf('¦')).split('\n').length - 1;
	return found.after.split('\n')[at]?.trim();
};
const llm = (rest: string) => file(`      - id: write\n        data:\n          type: llm\n          title: Write\n${rest}`);

describe('completion in agent files', () => {
	it('knows the node types', () => {
		const marked = file('      - id: write\n        data:\n          type: ¦\n');
		assert.ok(labels(marked).includes('llm') && labels(marked).includes('http-request'));
		assert.equal(line(marked, 'llm'), 'type: llm');
		assert.equal(
			line(file('      - id: write\n        data:\n          type: tem¦plate\n          title: x\n'), 'template-transform'),
			'type: template-transform',
		);
	});

	it('lists the missing fields of a node type, required ones first', () => {
		const found = labels(llm('          ¦\n'));
		assert.deepEqual(found.slice(0, 2).toSorted(), ['model', 'prompt_template']);
		assert.ok(found.includes('error_strategy') && found.includes('vision'));
		assert.ok(!found.includes('title') && !found.includes('cases'));
		const between = llm('          mo¦\n          vision: {}\n');
		assert.ok(labels(between).includes('model') && !labels(between).includes('vision'));
		assert.equal(line(llm('          reason¦\n'), 'reasoning_format'), 'reasoning_format:');
		assert.deepEqual(labels(llm('          model:\n            ¦\n')), ['provider', 'name', 'mode', 'completion_params']);
		assert.ok(labels(llm('          prompt_template:\n            - ¦\n')).includes('role'));
		assert.ok(labels(llm('          prompt_template:\n            - text: x\n              ¦\n')).includes('role'));
		assert.ok(labels('app:\n  mode: workflow\nworkflow: {}\nki¦\n').includes('kind'));
	});

	it('knows fixed values', () => {
		assert.deepEqual(labels(llm('          error_strategy: ¦\n')), ['none', 'fail-branch', 'default-value']);
		const condition = '                - variable_selector: [start, text]\n                  comparison_operator: ¦\n';
		const marked = file(
			`      - id: write\n        data:\n          type: if-else\n          cases:\n            - case_id: a\n              conditions:\n${condition}`,
		);
		assert.ok(labels(marked).includes('not contains'));
		assert.equal(line(marked, '>'), 'comparison_operator: ">"');
		assert.deepEqual(labels(llm('          prompt_template:\n            - { role: ¦ }\n')), ['system', 'user', 'assistant']);
		assert.deepEqual(labels(llm('          structured_output_enabled: ¦\n')), ['true', 'false']);
		assert.deepEqual(labels(file('', '').replace('mode: workflow', 'mode: ¦')), [
			'workflow',
			'advanced-chat',
			'chat',
			'completion',
			'agent-chat',
			'agent',
		]);
	});

	it('knows the models', () => {
		assert.deepEqual(labels(llm('          model:\n            name: ¦\n')), ['claude-haiku-4-5', 'offline']);
		assert.equal(line(llm('          model: { name: "cl¦" }\n'), 'claude-haiku-4-5'), 'model: { name: "claude-haiku-4-5" }');
	});

	it('knows node IDs and output handles in edges', () => {
		assert.deepEqual(labels(llm('').concat('      - { source: ¦ }\n')), ['start', 'each', 'inner', 'pick', 'write']);
		assert.deepEqual(labels(llm('').concat('      - source: pick\n        sourceHandle: ¦\n')), ['long', 'false']);
		assert.deepEqual(labels(file('      - id: write\n        parentId: ¦\n')), ['each']);
		assert.deepEqual(labels(file('').replace('start_node_id: inner', 'start_node_id: ¦')), ['inner']);
	});

	it('offers variables only where the value is or may become a variable', () => {
		const loop = (fields: string) =>
			file(`      - id: write\n        data:\n          type: loop\n          loop_variables:\n            - label: l\n${fields}`);
		const offeredFor = (type: string) => labels(loop(`${type}              value: [¦]\n`));
		assert.ok(!offeredFor('              value_type: constant\n').includes('start'));
		assert.ok(offeredFor('              value_type: variable\n').includes('start'));
		assert.ok(offeredFor('').includes('start'));
		const second = (type: string) => labels(loop(`              value_type: ${type}\n              value: [start, ¦]\n`));
		assert.deepEqual([second('constant'), second('variable')], [[], ['text', 'size']]);
	});

	it('knows the variables of the nodes before, in selectors', () => {
		const whole = llm('          context:\n            variable_selector: ¦\n');
		assert.ok(labels(whole).includes('[start, text]') && labels(whole).includes('[pick, result]'));
		assert.ok(!labels(whole).some(label => label.startsWith('[write') || label.startsWith('[each')));
		assert.equal(line(whole, '[start, size]'), 'variable_selector: [start, size]');
		assert.ok(labels(llm('          context:\n            variable_selector: [¦]\n')).includes('start'));
		assert.deepEqual(labels(llm('          context:\n            variable_selector: [start, ¦]\n')), ['text', 'size']);
		assert.deepEqual(labels(llm('          context:\n            variable_selector:\n              - start\n              - ¦\n')), [
			'text',
			'size',
		]);
	});

	it('knows them in strings', () => {
		const marked = llm(
			'          prompt_template:\n            - role: user\n              text: |\n                Say {{#st¦\n                again\n',
		);
		assert.ok(labels(marked).includes('start.text') && labels(marked).includes('sys.query'));
		assert.equal(line(marked, 'start.text'), 'Say {{#start.text#}}');
		assert.equal(
			line(llm('          prompt_template: { text: "{{#start.si¦#}} more" }\n'), 'start.size'),
			'prompt_template: { text: "{{#start.size#}} more" }',
		);
	});

	it('quotes IDs that would be numbers', () => {
		const marked = file("      - id: '17'\n        data: { type: llm, title: Old }\n").concat('      - source: ¦\n');
		assert.equal(line(marked, '17'), '- source: "17"');
	});

	it('offers nothing in comments, titles and other text', () => {
		assert.deepEqual(labels(llm('          # mo¦\n')), []);
		assert.deepEqual(labels(llm('          desc: A ¦\n')), []);
		assert.deepEqual(labels(llm('          prompt_template:\n            - text: |\n                Write ¦\n')), []);
	});
});
