import assert from 'node:assert/strict';
import fs from 'node:fs';
import { findAgentFaults } from '#agentFile/checks/agentFaults.ts';
import { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { listAgentSuggestions } from '#agentFile/completion/agentSuggestions.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { agentFileSchemaPath } from '../../../../scripts/agentFileSchema.ts';
import { english } from '../../../support/english.ts';

const schema = new AgentSchema(JSON.parse(fs.readFileSync(agentFileSchemaPath, 'utf8')));
const before = `app: { mode: advanced-chat }
kind: app
version: "0.6.0"
workflow:
  conversation_variables: [{ id: c, name: name, value_type: string, value: "" }]
  graph:
    nodes:
      - id: '17'
        data: { type: start, title: Start, variables: [{ variable: text, label: Text, type: paragraph, required: true }] }
      - `;
const after = '\n    edges: []\n';
const listSuggestions = () =>
	listAgentSuggestions(new AgentReading(before + after), before.length, { schema, models: ['m$odel'], t: english }).filter(
		({ kind }) => kind === 'newNode',
	);
/** Returns a snippet as the editor inserts it: with its default values, and indented like the first line. */
const insertSnippet = (snippet: string): string => {
	let text = snippet.replaceAll('\n', '\n      ');
	for (let filled = ''; filled !== text; ) {
		filled = text;
		text = text.replace(/(?<!\\)\$\{\d+:((?:[^\\$}]|\\.)*)\}/, '$1');
	}
	return text.replaceAll(/\\([\\$}])/g, '$1');
};

describe('snippets of nodes in agent files', () => {
	it('are offered only at the start of a node', () => {
		const labels = listSuggestions().map(({ label }) => label);
		assert.ok(!labels.includes('start…'), 'a file has one start');
		assert.ok(labels.includes('llm…') && labels.includes('loop…') && labels.length >= 15, labels.join(', '));
		const inside = `${before}id: a\n        `;
		assert.deepEqual(
			listAgentSuggestions(new AgentReading(inside + after), inside.length, { schema, models: [], t: english }).filter(
				({ kind }) => kind === 'newNode',
			),
			[],
		);
	});

	for (const { label, insert } of listSuggestions()) {
		it(`are complete: ${label}`, () => {
			const text = before + insertSnippet(insert) + after;
			const faults = findAgentFaults(new AgentReading(text), schema, english).filter(
				({ message }) => !/no start node|already used/.test(message),
			);
			assert.deepEqual(
				faults.map(({ message }) => message),
				[],
				text,
			);
			assert.ok(!/[¶¤]|\$\{/.test(text), text);
		});
	}

	it('refer to an earlier value and have an unused ID', () => {
		const llm = listSuggestions().find(({ label }) => label === 'llm…');
		assert.match(insertSnippet(llm?.insert ?? ''), /name: m\$odel[\s\S]*\{\{#17\.text#\}\}/);
		const end = listSuggestions().find(({ label }) => label === 'end…');
		assert.match(insertSnippet(end?.insert ?? ''), /value_selector: \["17", text\]/);
		const branched = before.replace(/- $/, '- { id: way, data: { type: if-else, title: Way, cases: [] } }\n      - ');
		const after2 = listAgentSuggestions(new AgentReading(branched + after), branched.length, { schema, models: [], t: english });
		assert.match(insertSnippet(after2.find(({ label }) => label === 'end…')?.insert ?? ''), /value_selector: \["17", text\]/);
		const taken = before.replace("id: '17'", 'id: llm');
		const again = listAgentSuggestions(new AgentReading(taken + after), taken.length, { schema, models: [], t: english }).find(
			({ label }) => label === 'llm…',
		);
		assert.match(insertSnippet(again?.insert ?? ''), /^id: llm_2\n/);
	});
});
