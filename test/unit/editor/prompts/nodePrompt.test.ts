import assert from 'node:assert/strict';
import { readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { createNodePrompt } from '#editor/prompts/nodePrompt.ts';
import { createPromptTurns } from '#editor/prompts/promptRequest.ts';
import { findSentPrompt } from '#editor/prompts/sentPrompt.ts';

const graph = readAgentGraph(
	new AgentText(`
workflow:
  environment_variables: [{ name: desk, value_type: string, value: Harbour }, { name: key, value_type: secret, value: hidden }]
  graph:
    nodes:
      - { id: start, data: { type: start, variables: [{ variable: count, default: 5 }] } }
      - id: write
        data:
          type: llm
          model: { name: small, completion_params: { temperature: 0.2, max_tokens: 100, stop: [END] } }
          prompt_template:
            - { role: system, text: "Sign as {{#env.desk#}}, key {{#env.key#}}." }
            - { role: user, text: "{{#start.text#}} in {{#start.count#}}: {{#rank.list#}}" }
            - { role: user, edition_type: jinja2, jinja2_text: "{{ x }}" }
`).content,
);
const node = graph.nodes[1]!;
const message = 'The sea in 3: ["a", "b"]';

describe('the prompt of a node', () => {
	it('has the values that its messages were sent with', () => {
		const sent = [
			{ role: 'system', text: 'Sign as Pier, key k.' },
			{ role: 'user', text: message },
			{ role: 'user', text: 'seven' },
			{ role: 'assistant', text: 'earlier' },
		] as const;
		const prompt = createNodePrompt(node, graph, { sent, values: {} });
		assert.deepEqual(Object.fromEntries(prompt.variables.map(({ name, value }) => [name, value])), {
			'env.desk': 'Pier',
			'env.key': 'k',
			'start.text': 'The sea',
			'start.count': '3',
			'rank.list': '["a", "b"]',
		});
		assert.deepEqual(
			prompt.messages.map(({ role, text, base, fixed }) => [role, text, base?.at, fixed]),
			[
				['system', 'Sign as {{#env.desk#}}, key {{#env.key#}}.', 0, undefined],
				['user', '{{#start.text#}} in {{#start.count#}}: {{#rank.list#}}', 1, undefined],
				['user', 'seven', 2, 'jinja'],
				['assistant', 'earlier', undefined, 'sent'],
			],
		);
		assert.deepEqual(prompt.parameters, { temperature: 0.2, maxTokens: 100, stop: ['END'] });
		const { system, turns } = createPromptTurns(prompt);
		assert.equal(system, 'Sign as Pier, key k.');
		assert.deepEqual(
			turns.map(({ role, parts }) => [role, (parts[0] as { text: string }).text]),
			sent.slice(1).map(({ role, text }) => [role, text]),
		);
	});

	it('takes values from outputs of other nodes and defaults of the file if it was not sent, but no secrets', () => {
		const prompt = createNodePrompt(node, graph, { sent: [], values: { start: { text: 'The sea' }, rank: { list: ['a'] } } });
		assert.deepEqual(
			prompt.variables.map(({ value }) => value),
			['Harbour', '', 'The sea', '5', '["a"]'],
		);
	});

	it('is found in the run, in the chosen execution', async () => {
		const createEvent = (id: string, text: string) => ({
			at: 0,
			event: {
				event: 'node_finished',
				data: { id, node_id: 'write', process_data: { model_name: 'small', prompts: [{ role: 'user', text }] } },
			},
		});
		async function* readEntries() {
			yield* [createEvent('1', 'first'), createEvent('2', 'second')] as never[];
		}
		assert.deepEqual(await findSentPrompt(readEntries(), 'write'), { model: 'small', messages: [{ role: 'user', text: 'second' }] });
		assert.equal((await findSentPrompt(readEntries(), 'write', '1'))?.messages[0]?.text, 'first');
		assert.equal(await findSentPrompt(readEntries(), 'rank'), undefined);
	});

	it('is sent as a user message if it is only a system message', () => {
		const parts = { variables: [], parameters: {} };
		const { system, turns } = createPromptTurns({ messages: [{ id: 'a', role: 'system', text: 'Hello' }], ...parts });
		assert.deepEqual([system, turns.map(({ role }) => role)], ['', ['user']]);
	});
});
