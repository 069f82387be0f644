import assert from 'node:assert/strict';
import type { ModelPart, ModelRequest } from '#engine/run/engineTypes.ts';
import { createTestServices } from '../run/engineFixture.ts';
import { createTestApp, runTurn } from './modelAppFixture.ts';

const usage = { promptTokens: 1, completionTokens: 1 };
const end: ModelPart = { type: 'finish', finishReason: 'stop', usage };
const createToolCall = (id: string, expression: string): ModelPart => ({
	type: 'call',
	id,
	name: 'eval_expression',
	input: JSON.stringify({ expression }),
});
const createText = (piece: string): ModelPart => ({ type: 'text', text: piece });

const calculator = {
	enabled: true,
	provider_type: 'builtin',
	provider_id: 'maths',
	tool_name: 'eval_expression',
	tool_parameters: { expression: '' },
};
const createTools = (more: object = {}) => ({
	agent_mode: { enabled: true, strategy: 'function_call', max_iteration: 5, tools: [calculator], ...more },
});

/** Creates a model with these replies, one per round. */
function createScriptedModel(rounds: readonly (readonly ModelPart[])[]) {
	const asked: ModelRequest[] = [];
	const services = createTestServices(async function* (request) {
		asked.push(request);
		yield* rounds[Math.min(asked.length, rounds.length) - 1] ?? [];
	});
	return { asked, models: services.models };
}

const listThoughts = (events: readonly object[]) =>
	events.flatMap(event =>
		(event as { event: string }).event === 'agent_thought' ? [(event as { data: Record<string, unknown> }).data] : [],
	);

describe('an agent-chat app', () => {
	it('uses its tools in rounds, reports each, and answers', async () => {
		const { asked, models } = createScriptedModel([
			[createText('Let me see. '), createToolCall('1', '2+3'), createToolCall('2', '4*5'), end],
			[createText('5 and 20'), end],
		]);
		const done = await runTurn(
			createTestApp(
				{ pre_prompt: 'Count for {{who}}.', ...createTools(), user_input_form: [{ paragraph: { variable: 'who' } }] },
				'agent-chat',
			),
			{
				query: 'Q',
				said: ['before', 'yes'],
				inputs: { who: 'Ana' },
				services: { models },
			},
		);
		assert.equal(done.data.error, null);
		assert.match(String(done.data.outputs?.['answer']), /^Let me see\. \n5 and 20$/);
		assert.deepEqual(
			asked[0]?.messages.map(({ role, content }) => `${role}: ${content}`),
			['system: Count for Ana.', 'user: before', 'assistant: yes', 'user: Q'],
		);
		assert.deepEqual(
			asked[0]?.tools?.map(({ name }) => name),
			['eval_expression'],
		);
		const [started, thought, observed, second, last] = listThoughts(done.events);
		assert.deepEqual([started?.['position'], started?.['thought'], started?.['tool'], started?.['observation']], [1, '', '', '']);
		assert.deepEqual([thought?.['id'], thought?.['thought'], thought?.['tool']], [started?.['id'], 'Let me see. ', 'eval_expression']);
		assert.deepEqual(JSON.parse(String(observed?.['observation'])), { eval_expression: '20' });
		assert.equal(second?.['position'], 2);
		assert.notEqual(second?.['id'], started?.['id']);
		assert.deepEqual([last?.['thought'], last?.['tool'], last?.['tool_input']], ['5 and 20', '', '']);
		assert.equal(done.data.total_tokens, 4);
		assert.ok(done.events.some(({ event }) => event === 'agent_log'));
	});

	it('asks once more without tools after its last round, and fails if the model still calls one', async () => {
		const { asked, models } = createScriptedModel([[createToolCall('1', '1'), end]]);
		const done = await runTurn(createTestApp(createTools({ max_iteration: 2 }), 'agent-chat'), { query: 'Q', services: { models } });
		assert.equal(asked.length, 3);
		assert.equal(asked[2]?.callsNoTools, true);
		assert.match(done.data.error ?? '', /reached its limit of 2 iterations/);
	});

	it("parses the model's text if the file says react", async () => {
		const { asked, models } = createScriptedModel([
			[createText('Thought: count\nAction: {"action": "eval_expression", "action_input": {"expression": "6*7"}}'), end],
			[createText('Thought: done\nFinalAnswer: 42'), end],
		]);
		for (const strategy of ['react', 'cot']) {
			asked.length = 0;
			const done = await runTurn(createTestApp(createTools({ strategy }), 'agent-chat'), { query: 'Q', services: { models } });
			assert.equal(String(done.data.outputs?.['answer']).trim(), '42');
			assert.equal(asked[0]?.tools, undefined);
		}
	});

	it('says how to supply a missing tool, and ignores disabled ones', async () => {
		const strange = { enabled: true, provider_type: 'plugin', provider_id: 'acme/weather/weather', tool_name: 'forecast' };
		const { models } = createScriptedModel([[createText('x'), end]]);
		const missing = await runTurn(createTestApp(createTools({ tools: [strange] }), 'agent-chat'), { query: 'Q', services: { models } });
		assert.match(missing.data.error ?? '', /forecast.*MCP server/s);
		const off = await runTurn(createTestApp(createTools({ tools: [{ ...strange, enabled: false }] }), 'agent-chat'), {
			query: 'Q',
			services: { models },
		});
		assert.equal(off.data.outputs?.['answer'], 'x');
	});

	it('offers its datasets as tools', async () => {
		const { asked, models } = createScriptedModel([
			[{ type: 'call', id: '1', name: 'dataset_d-1', input: '{"query": "tides"}' }, end],
			[createText('So.'), end],
		]);
		const searched: unknown[] = [];
		const knowledge = {
			search: async ({ text: of, datasets }: { text: string; datasets: readonly string[] }) => {
				searched.push([of, datasets]);
				return { items: [{ content: 'Twice a day.' }] as never, notes: [] };
			},
			listMetadataNames: async () => [],
		};
		const datasets = { dataset_configs: { datasets: { datasets: [{ dataset: { id: 'd-1', enabled: true } }] } } };
		const done = await runTurn(createTestApp({ ...createTools({ tools: [] }), ...datasets }, 'agent-chat'), {
			query: 'Q',
			services: { models, knowledge },
		});
		assert.deepEqual(searched, [['tides', ['d-1']]]);
		assert.match(JSON.stringify(asked[1]?.messages), /Twice a day\./);
		assert.equal(done.data.status, 'succeeded');
	});

	it('respects its word rules', async () => {
		const rules = {
			enabled: true,
			type: 'keywords',
			config: { keywords: 'bad', outputs_config: { enabled: true, preset_response: 'No.' } },
		};
		const { models } = createScriptedModel([[createText('so b'), createText('ad'), createText(' more'), end]]);
		const done = await runTurn(createTestApp({ ...createTools(), sensitive_word_avoidance: rules }, 'agent-chat'), {
			query: 'Q',
			services: { models },
		});
		assert.equal(done.data.outputs?.['answer'], 'No.');
	});
});
