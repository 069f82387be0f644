import assert from 'node:assert/strict';
import fs from 'node:fs';
import { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { listAgentSuggestions } from '#agentFile/completion/agentSuggestions.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { agentFileSchemaPath } from '../../../../scripts/agentFileSchema.ts';
import { english } from '../../../support/english.ts';

const schema = new AgentSchema(JSON.parse(fs.readFileSync(agentFileSchemaPath, 'utf8')));

const createFile = (nodes: string, edges = '') => `app:
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
/** Returns the completions at the `¦` mark. */
const listSuggestions = (marked: string) => {
	const offset = marked.indexOf('¦');
	const text = marked.replace('¦', '');
	return listAgentSuggestions(new AgentReading(text), offset, { schema, models: ['claude-haiku-4-5', 'offline'], t: english }).map(
		suggestion => ({
			...suggestion,
			after: text.slice(0, suggestion.offset) + suggestion.insert + text.slice(suggestion.offset + suggestion.length),
		}),
	);
};
const listLabels = (marked: string) => listSuggestions(marked).map(({ label }) => label);
/** Returns the line of the `¦` mark after a completion is inserted. */
const getInsertedLine = (marked: string, label: string) => {
	const found = listSuggestions(marked).find(each => each.label === label);
	assert.ok(found, `${label} among ${listLabels(marked).join(', ')}`);
	const at = marked.slice(0, marked.indexOf('¦')).split('\n').length - 1;
	return found.after.split('\n')[at]?.trim();
};
const createLlmFile = (rest: string) =>
	createFile(`      - id: write\n        data:\n          type: llm\n          title: Write\n${rest}`);

describe('completion in agent files', () => {
	it('offers the node types', () => {
		const marked = createFile('      - id: write\n        data:\n          type: ¦\n');
		assert.ok(listLabels(marked).includes('llm') && listLabels(marked).includes('http-request'));
		assert.equal(getInsertedLine(marked, 'llm'), 'type: llm');
		assert.equal(
			getInsertedLine(
				createFile('      - id: write\n        data:\n          type: tem¦plate\n          title: x\n'),
				'template-transform',
			),
			'type: template-transform',
		);
	});

	it('lists the missing fields of a node type, required ones first', () => {
		const found = listLabels(createLlmFile('          ¦\n'));
		assert.deepEqual(found.slice(0, 2).toSorted(), ['model', 'prompt_template']);
		assert.ok(found.includes('error_strategy') && found.includes('vision'));
		assert.ok(!found.includes('title') && !found.includes('cases'));
		const between = createLlmFile('          mo¦\n          vision: {}\n');
		assert.ok(listLabels(between).includes('model') && !listLabels(between).includes('vision'));
		assert.equal(getInsertedLine(createLlmFile('          reason¦\n'), 'reasoning_format'), 'reasoning_format:');
		assert.deepEqual(listLabels(createLlmFile('          model:\n            ¦\n')), ['provider', 'name', 'mode', 'completion_params']);
		assert.ok(listLabels(createLlmFile('          prompt_template:\n            - ¦\n')).includes('role'));
		assert.ok(listLabels(createLlmFile('          prompt_template:\n            - text: x\n              ¦\n')).includes('role'));
		assert.ok(listLabels('app:\n  mode: workflow\nworkflow: {}\nki¦\n').includes('kind'));
	});

	it('offers the allowed values of a field', () => {
		assert.deepEqual(listLabels(createLlmFile('          error_strategy: ¦\n')), ['none', 'fail-branch', 'default-value']);
		const condition = '                - variable_selector: [start, text]\n                  comparison_operator: ¦\n';
		const marked = createFile(
			`      - id: write\n        data:\n          type: if-else\n          cases:\n            - case_id: a\n              conditions:\n${condition}`,
		);
		assert.ok(listLabels(marked).includes('not contains'));
		assert.equal(getInsertedLine(marked, '>'), 'comparison_operator: ">"');
		assert.deepEqual(listLabels(createLlmFile('          prompt_template:\n            - { role: ¦ }\n')), ['system', 'user', 'assistant']);
		assert.deepEqual(listLabels(createLlmFile('          structured_output_enabled: ¦\n')), ['true', 'false']);
		assert.deepEqual(listLabels(createFile('', '').replace('mode: workflow', 'mode: ¦')), [
			'workflow',
			'advanced-chat',
			'chat',
			'completion',
			'agent-chat',
			'agent',
		]);
	});

	it('offers the known models', () => {
		assert.deepEqual(listLabels(createLlmFile('          model:\n            name: ¦\n')), ['claude-haiku-4-5', 'offline']);
		assert.equal(
			getInsertedLine(createLlmFile('          model: { name: "cl¦" }\n'), 'claude-haiku-4-5'),
			'model: { name: "claude-haiku-4-5" }',
		);
	});

	it('offers node IDs and output handles in edges', () => {
		assert.deepEqual(listLabels(createLlmFile('').concat('      - { source: ¦ }\n')), ['start', 'each', 'inner', 'pick', 'write']);
		assert.deepEqual(listLabels(createLlmFile('').concat('      - source: pick\n        sourceHandle: ¦\n')), ['long', 'false']);
		assert.deepEqual(listLabels(createFile('      - id: write\n        parentId: ¦\n')), ['each']);
		assert.deepEqual(listLabels(createFile('').replace('start_node_id: inner', 'start_node_id: ¦')), ['inner']);
	});

	it('offers variables only if the value is or may become a variable', () => {
		const createLoopFile = (fields: string) =>
			createFile(`      - id: write\n        data:\n          type: loop\n          loop_variables:\n            - label: l\n${fields}`);
		const listValuesForType = (type: string) => listLabels(createLoopFile(`${type}              value: [¦]\n`));
		assert.ok(!listValuesForType('              value_type: constant\n').includes('start'));
		assert.ok(listValuesForType('              value_type: variable\n').includes('start'));
		assert.ok(listValuesForType('').includes('start'));
		const listVariablesForType = (type: string) =>
			listLabels(createLoopFile(`              value_type: ${type}\n              value: [start, ¦]\n`));
		assert.deepEqual([listVariablesForType('constant'), listVariablesForType('variable')], [[], ['text', 'size']]);
	});

	it('offers the variables of earlier nodes in selectors', () => {
		const whole = createLlmFile('          context:\n            variable_selector: ¦\n');
		assert.ok(listLabels(whole).includes('[start, text]') && listLabels(whole).includes('[pick, result]'));
		assert.ok(!listLabels(whole).some(label => label.startsWith('[write') || label.startsWith('[each')));
		assert.equal(getInsertedLine(whole, '[start, size]'), 'variable_selector: [start, size]');
		assert.ok(listLabels(createLlmFile('          context:\n            variable_selector: [¦]\n')).includes('start'));
		assert.deepEqual(listLabels(createLlmFile('          context:\n            variable_selector: [start, ¦]\n')), ['text', 'size']);
		assert.deepEqual(
			listLabels(createLlmFile('          context:\n            variable_selector:\n              - start\n              - ¦\n')),
			['text', 'size'],
		);
	});

	it('offers the variables of earlier nodes in strings', () => {
		const marked = createLlmFile(
			'          prompt_template:\n            - role: user\n              text: |\n                Say {{#st¦\n                again\n',
		);
		assert.ok(listLabels(marked).includes('start.text') && listLabels(marked).includes('sys.query'));
		assert.equal(getInsertedLine(marked, 'start.text'), 'Say {{#start.text#}}');
		assert.equal(
			getInsertedLine(createLlmFile('          prompt_template: { text: "{{#start.si¦#}} more" }\n'), 'start.size'),
			'prompt_template: { text: "{{#start.size#}} more" }',
		);
	});

	it("offers the variables of a node's template in its expressions, and references in other texts", () => {
		const template = (text: string) =>
			createFile(
				`      - id: write\n        data:\n          type: template-transform\n          title: Write\n          template: |\n            ${text}\n          variables: [{ variable: name, value_selector: [start, text] }]\n`,
			);
		assert.deepEqual(listLabels(template('Hello {{ na¦')), ['name']);
		assert.equal(getInsertedLine(template('Hello {{ na¦ }} there'), 'name'), 'Hello {{ name }} there');
		assert.equal(getInsertedLine(template('Hello {{ ¦'), 'name'), 'Hello {{ name }}');
		const prompt = createLlmFile('          prompt_template: { text: "Say {{¦" }\n');
		assert.equal(getInsertedLine(prompt, 'start.text'), 'prompt_template: { text: "Say {{#start.text#}}" }');
	});

	it('offers whole edges to nodes that no edge leads to, those from the node above first', () => {
		const nodes = (ids: string[]) => ids.map(id => `      - id: ${id}\n        data: { type: llm, title: ${id} }\n`).join('');
		const marked = createFile(nodes(['write', 'check']), '      - ¦\n');
		assert.deepEqual(
			listLabels(marked).filter(label => label.endsWith('→ check')),
			['write → check', 'pick (long) → check', 'pick (false) → check', 'each → check'],
		);
		assert.equal(
			getInsertedLine(marked, 'pick (false) → check'),
			'- { id: pick-false-check-target, type: custom, source: pick, sourceHandle: "false", target: check, targetHandle: target }',
		);
		assert.ok(!listLabels(createFile(nodes(['write', 'check']), '      - source: pick\n        ¦\n')).some(label => label.includes('→')));
	});

	it('offers no fields that only the canvas of Dify writes', () => {
		const offered = listLabels(createLlmFile('          ¦\n'));
		assert.deepEqual(
			offered.filter(label => /^(?:selected|isIn|iteration_id|loop_id)/.test(label)),
			[],
		);
	});

	it('quotes IDs that would be numbers', () => {
		const marked = createFile("      - id: '17'\n        data: { type: llm, title: Old }\n").concat('      - source: ¦\n');
		assert.equal(getInsertedLine(marked, '17'), '- source: "17"');
	});

	it('offers nothing in comments, titles and other text', () => {
		assert.deepEqual(listLabels(createLlmFile('          # mo¦\n')), []);
		assert.deepEqual(listLabels(createLlmFile('          desc: A ¦\n')), []);
		assert.deepEqual(listLabels(createLlmFile('          prompt_template:\n            - text: |\n                Write ¦\n')), []);
	});
});
