import assert from 'node:assert/strict';
import { loadAgent } from '#engine/agentFile/agentFile.ts';
import type { ModelPart, ModelRequest } from '#engine/run/engineTypes.ts';
import type { ToolSource } from '#engine/tools/engineTool.ts';
import { createTestServices } from '../run/engineFixture.ts';
import { runTurn } from './modelAppFixture.ts';

const usage = { promptTokens: 1, completionTokens: 1 };
const end: ModelPart = { type: 'finish', finishReason: 'stop', usage };
const soul = {
	prompt: { system_prompt: 'You count.' },
	model: { model_provider: 'p', model: 'm', model_settings: { temperature: 0 } },
	tools: { dify_tools: [{ provider: 'maths', name: 'eval_expression', enabled: true }] },
};

function createPortableApp(
	agent: object | null = { package_ref: 'agent_1' },
	packages: object = { agent_1: { metadata: { name: 'Counter' }, soul } },
) {
	return loadAgent(
		JSON.stringify({ version: '0.7.0', kind: 'app', app: { name: 'Counter', mode: 'agent' }, agent, agent_packages: packages }),
		'counter.yml',
	);
}

describe('a portable agent (app of mode agent)', () => {
	it('answers with its tools, reports its rounds, and remembers earlier messages', async () => {
		const asked: ModelRequest[] = [];
		const { models } = createTestServices(async function* (request) {
			asked.push(request);
			if (asked.length === 1) {
				yield { type: 'call', id: '1', name: 'eval_expression', input: '{"expression":"2+3"}' };
			} else {
				yield { type: 'text', text: '5' };
			}
			yield end;
		});
		const agent = createPortableApp();
		assert.deepEqual([agent.mode, agent.appName, agent.warnings], ['agent', 'Counter', []]);
		const { data, events } = await runTurn(agent, { query: 'What is 2+3?', said: ['Hello', 'Hi'], services: { models } });
		assert.equal(String(data.outputs?.['answer']).trim(), '5');
		assert.deepEqual(
			asked[0]?.messages.map(({ role, content }) => `${role}: ${content}`),
			['system: You count.', 'user: Hello', 'assistant: Hi', 'user: What is 2+3?'],
		);
		assert.equal(asked[0]?.temperature, 0);
		const thoughts = events.filter(({ event }) => event === 'agent_thought');
		assert.ok(
			thoughts.some(thought => (thought as unknown as { data: { observation: string } }).data.observation === '{"eval_expression":"5"}'),
		);
	});

	it('has the tools of all its providers, even if two have the same name', async () => {
		const called: string[] = [];
		const mcp: ToolSource = {
			listProviders: async () => ['live', 'test'],
			listToolNames: async () => ['remove'],
			findTool: async provider => ({
				...{ name: 'remove', provider, description: provider, parameters: { type: 'object', properties: {} } },
				use: async () => {
					called.push(provider);
					return { text: 'done' };
				},
			}),
		};
		const none: ToolSource = { listProviders: async () => [], listToolNames: async () => [], findTool: async () => undefined };
		const asked: ModelRequest[] = [];
		const { models } = createTestServices(async function* (request) {
			asked.push(request);
			if (asked.length === 1) {
				yield { type: 'call', id: '1', name: request.tools?.find(({ description }) => description === 'live')?.name ?? '', input: '{}' };
			}
			yield end;
		});
		const tools = ['live', 'test', 'test'].map(provider => ({
			type: 'mcp',
			provider,
			provider_type: 'mcp',
			name: 'remove',
			enabled: true,
		}));
		const agent = createPortableApp(undefined, {
			agent_1: { metadata: { name: 'Counter' }, soul: { ...soul, tools: { dify_tools: tools } } },
		});
		await runTurn(agent, { query: 'Remove it', services: { models, tools: { mcp, apis: none, agents: none } } });
		assert.deepEqual(
			asked[0]?.tools?.map(({ name, description }) => [name, description]),
			[
				['remove', 'live'],
				['test_remove', 'test'],
			],
		);
		assert.deepEqual(called, ['live']);
	});

	for (const [name, make, path, message] of [
		['without a word on it', () => createPortableApp(null), '', /has no agent, which apps of mode 'agent' need/],
		[
			'that the file does not carry',
			() => createPortableApp({ package_ref: 'ghost' }),
			'agent.package_ref',
			/'ghost' isn't an agent in the file\. Expected one of agent_1\.$/,
		],
		[
			'whose name is that of something else',
			() => createPortableApp({ package_ref: 'constructor' }),
			'agent.package_ref',
			/'constructor' isn't an agent in the file/,
		],
		[
			'without a model',
			() => createPortableApp({ package_ref: 'agent_1' }, { agent_1: { soul: { prompt: { system_prompt: 'x' } } } }),
			'agent_packages.agent_1.soul.model',
			/has no model/,
		],
	] as const) {
		it(`is refused ${name}`, () => {
			assert.throws(make, (error: Error & { path?: string }) => error.path === path && message.test(error.message));
		});
	}

	it("reports which of its parts aren't supported", () => {
		const more = { ...soul, app_variables: [{ name: 'city' }], knowledge: { datasets: ['d'] } };
		assert.deepEqual(
			createPortableApp({ package_ref: 'agent_1' }, { agent_1: { soul: more } }).warnings.map(({ path }) => path),
			['agent_packages.agent_1.soul.knowledge', 'agent_packages.agent_1.soul.app_variables'],
		);
	});
});
