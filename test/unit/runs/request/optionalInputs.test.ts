import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { findRequiredInputs } from '#agentFile/checks/neededInputs.ts';
import type { JsonSchema } from '#base/text/schemaCheck.ts';
import type { AgentSummary, AgentVariable } from '#contract/agents.ts';
import { checkOptionalInputs } from '#runs/request/optionalInputs.ts';
import { parseRunFile } from '#runs/request/runFileParse.ts';
import { runFileSchemaPath } from '../../../../scripts/runFileSchema.ts';
import { english } from '../../../support/english.ts';

const schema = JSON.parse(fs.readFileSync(runFileSchemaPath, 'utf8')) as JsonSchema;
const sample = fs.readFileSync(path.resolve('samples/agents/write-article.yml'), 'utf8');
const createText = (variable: string, more: Partial<AgentVariable> = {}): AgentVariable =>
	({ variable, label: variable, type: 'paragraph', required: false, ...more }) as AgentVariable;

/** Creates a node after the start node that refers to `start.notes`. */
function createGraph(type: string, data: object) {
	return readAgentGraph({
		workflow: {
			graph: {
				nodes: [
					{ id: 'start', data: { type: 'start' } },
					{ id: 'user', data: { type, title: 'The user', ...data } },
				],
				edges: [{ source: 'start', target: 'user' }],
			},
		},
	});
}

/** Returns the messages for a run file with these inputs, each with the text it underlines. */
function findWarnings(
	inputs: object,
	graph = readAgentGraph(new AgentText(sample).content),
	variables = [createText('topic', { required: true }), createText('notes')],
) {
	const source = JSON.stringify({ model: 'write-article', inputs });
	const agent = { name: 'write-article', mode: 'workflow', file: '/a.yml', variables, error: null } as unknown as AgentSummary;
	return checkOptionalInputs(parseRunFile(source, schema, english), [agent], () => findRequiredInputs(graph), english).map(
		({ severity, code, message, offset, length }) => [severity, code, message, source.slice(offset, offset + length)],
	);
}

describe('optional inputs that a run file omits', () => {
	it('cause a warning if a node fails without them', () => {
		const message = "'inputs.notes' is optional, but node 'Plan the article' uses it and fails without it.";
		assert.deepEqual(findWarnings({ topic: 'x' }), [['warning', 'left-out-input', message, '"inputs"']]);
		assert.deepEqual(findWarnings({ topic: 'x', notes: null }), [['warning', 'left-out-input', message, 'null']]);
	});

	it('cause no warning if they have a value or a default, or are required', () => {
		assert.deepEqual(findWarnings({ topic: 'x', notes: '' }), []);
		assert.deepEqual(findWarnings({}, undefined, [createText('notes', { default: 'none' })]), []);
		assert.deepEqual(findWarnings({}, undefined, [createText('notes', { required: true })]), []);
		assert.equal(findWarnings({}, undefined, [createText('notes', { default: '' })]).length, 1);
	});

	it('cause no warning if no reachable node fails without them', () => {
		const selector = ['start', 'notes'];
		const prompt = [{ role: 'user', text: 'About {{#start.notes#}}' }];
		assert.equal(findWarnings({ topic: 'x' }, createGraph('llm', { prompt_template: prompt })).length, 1);
		assert.equal(
			findWarnings({ topic: 'x' }, createGraph('if-else', { cases: [{ conditions: [{ variable_selector: selector }] }] })).length,
			1,
		);
		assert.equal(findWarnings({ topic: 'x' }, createGraph('list-operator', { variable: selector })).length, 1);
		assert.deepEqual(findWarnings({ topic: 'x' }, createGraph('llm', { context: { enabled: true, variable_selector: selector } })), []);
		assert.deepEqual(
			findWarnings({ topic: 'x' }, createGraph('template-transform', { variables: [{ variable: 'n', value_selector: selector }] })),
			[],
		);
		assert.deepEqual(findWarnings({ topic: 'x' }, createGraph('answer', { answer: '{{#start.notes#}}' })), []);
		const unreached = createGraph('llm', { prompt_template: prompt });
		assert.deepEqual(findWarnings({ topic: 'x' }, { ...unreached, edges: [] }), []);
	});
});
