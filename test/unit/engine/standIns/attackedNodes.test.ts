import assert from 'node:assert/strict';
import { type Attack, attackSchema, createAttackCanaries } from '#contract/attack.ts';
import type { RecordingLevel } from '#engine/recordings/runRecording.ts';
import type { EngineServices, ModelRequest } from '#engine/run/engineTypes.ts';
import { attackTemplates } from '#suites/attacks/attackPacks.ts';
import { createEndNode, createStartNode, createTestAgent, createTestServices, runTestAgent, type TestNode } from '../run/engineFixture.ts';

const id = 'abcdefghijklmnop';
const canaries = createAttackCanaries(id);
const attack: Attack = { id, reply: 'THE ATTACK' };

const createHttpNode = (url: string): TestNode => ({
	id: 'work',
	data: {
		type: 'http-request',
		method: 'get',
		url,
		headers: '',
		params: '',
		body: { type: 'none', data: [] },
		authorization: { type: 'no-auth' },
	},
});
const llm: TestNode = {
	id: 'work',
	data: {
		type: 'llm',
		model: { provider: 'p', name: 'm', mode: 'chat', completion_params: {} },
		prompt_template: [
			{ role: 'system', text: 'Use {{#env.KEY#}} and {{#env.PLAIN#}}.' },
			{ role: 'user', text: '{{#start.q#}}' },
		],
		context: { enabled: false },
		vision: { enabled: false },
	},
};
const environment = [
	{ id: 'a', name: 'KEY', value: 'real-secret', value_type: 'secret' },
	{ id: 'b', name: 'API_TOKEN', value: 'real-token', value_type: 'string' },
	{ id: 'c', name: 'PLAIN', value: 'plain', value_type: 'string' },
];

/** Runs an agent with one node under an attack. Services that call out fail the test. */
async function runAttacked(
	node: TestNode,
	output: string,
	options: Parameters<typeof runTestAgent>[1] = {},
	own: Partial<EngineServices> = {},
) {
	const agent = createTestAgent([createStartNode('q'), node, createEndNode({ out: `work.${output}` })], ['start > work', 'work > end'], {
		workflow: { environment_variables: environment },
	});
	const refuse = () => {
		throw new Error('called a real service');
	};
	const services = { ...createTestServices(), http: refuse, ...own };
	return runTestAgent(agent, { attack, inputs: { q: 'Hello' }, ...options }, services);
}

/** Returns the nodes whose failure says nothing about the attack. */
function listUntested(events: readonly object[]): readonly string[] {
	return events.flatMap(event => {
		const { event: name, data } = event as { event: string; data: { node_id: string; untested?: boolean } };
		return name === 'node_finished' && data.untested ? [data.node_id] : [];
	});
}

describe('an attacked run', () => {
	it('gets the attack instead of the replies of HTTP services, datasets and tools', async () => {
		const http = await runAttacked(createHttpNode('https://api.example/orders'), 'body');
		assert.deepEqual([http.data.outputs, http.data.error], [{ out: 'THE ATTACK' }, null]);
		const knowledge = { search: async () => assert.fail(), listMetadataNames: async () => assert.fail() };
		const retrieval: TestNode = {
			id: 'work',
			data: {
				type: 'knowledge-retrieval',
				query_variable_selector: ['start', 'q'],
				dataset_ids: ['d'],
				multiple_retrieval_config: { top_k: 2 },
			},
		};
		const found = await runAttacked(retrieval, 'result', {}, { knowledge });
		assert.equal((found.data.outputs as { out: { content: string }[] }).out[0]?.content, 'THE ATTACK');
		const tool: TestNode = {
			id: 'work',
			data: {
				type: 'tool',
				provider_type: 'mcp',
				provider_id: 'shop',
				provider_name: 'shop',
				tool_name: 'delete',
				tool_parameters: {},
				tool_configurations: {},
			},
		};
		assert.deepEqual((await runAttacked(tool, 'text')).data.outputs, { out: 'THE ATTACK' });
	});

	it('gets the attack in mocked services too, but only in the chosen nodes, and as often as it says', async () => {
		const mocks = { work: { outputs: { body: 'mocked', list: ['a', { content: 'b' }], status_code: 200 } } };
		const mocked = await runAttacked(createHttpNode('https://api.example'), 'body', { mocks });
		assert.deepEqual(mocked.data.outputs, { out: 'mocked\n\nTHE ATTACK' });
		const list = await runAttacked(createHttpNode('https://api.example'), 'list', { mocks });
		assert.deepEqual(list.data.outputs, { out: ['a\n\nTHE ATTACK', { content: 'b\n\nTHE ATTACK' }] });
		const other = await runAttacked(createHttpNode('https://api.example'), 'body', { attack: { ...attack, nodes: ['other'] } });
		assert.deepEqual(other.data.outputs, { out: 'OK' });
		const often = await runAttacked(createHttpNode('https://api.example'), 'body', { attack: { id, reply: 'ab', repeat: 3 } });
		assert.deepEqual(often.data.outputs, { out: 'ababab' });
	});

	it('fails a node whose values would get too long with the text, and refuses a text that repeats to more than a reply has', async () => {
		const list = Array.from({ length: 60 }, () => 'a');
		const long: Attack = { id, reply: 'x'.repeat(1000), repeat: 1000 };
		const run = await runAttacked(createHttpNode('https://api.example'), 'list', { attack: long, mocks: { work: { outputs: { list } } } });
		assert.match(run.data.error ?? '', /^The values of this node are longer than 50000000 characters/);
		assert.equal(attackSchema.safeParse(long).success, true);
		assert.equal(attackSchema.safeParse({ ...long, repeat: 1001 }).success, false);
	});

	it('has canaries instead of secrets, and one in its system prompt, and shows none of the real secrets', async () => {
		const requests: ModelRequest[] = [];
		const models: EngineServices['models'] = {
			async *streamReply(request) {
				requests.push(request);
				yield { type: 'text', text: 'Hi' };
				yield { type: 'finish', finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 1 } };
			},
		};
		const { data, events } = await runAttacked(llm, 'text', {}, { models });
		assert.equal(data.error, null);
		const [system] = requests[0]!.messages;
		assert.match(String(system?.content), new RegExp(`^Use ${canaries.secret} and plain\\.\\n\\n.*${canaries.prompt}`));
		assert.doesNotMatch(JSON.stringify([requests, events]), /real-/);
	});

	for (const { name, createText } of attackTemplates.filter(({ pack, into }) => pack === 'ssrf' && into === 'input-values')) {
		it(`passes the check of addresses like a real request: ${name}`, async () => {
			const node = createHttpNode('{{#start.q#}}');
			const inputs = { q: createText(canaries) };
			const guarded = await runAttacked(node, 'body', { inputs });
			assert.match(String(guarded.data.error), /is on a private network/);
			const settings = { allowPrivateNetwork: true, network: {} };
			const open = await runAttacked(node, 'body', { inputs }, { settings });
			assert.deepEqual(open.data.outputs, { out: canaries.reached });
			const own = await runAttacked(createHttpNode('http://10.0.0.1/orders'), 'body', { inputs }, { settings });
			assert.deepEqual(own.data.outputs, { out: 'THE ATTACK' });
		});
	}

	it('runs no Python, which could reach anything', async () => {
		const code: TestNode = {
			id: 'work',
			data: {
				type: 'code',
				code_language: 'python3',
				code: 'def main(): return {"x": 1}',
				variables: [],
				outputs: { x: { type: 'number' } },
			},
		};
		const { data, events } = await runAttacked(code, 'x', {}, { python: { run: async () => assert.fail('ran Python') } });
		assert.match(String(data.error), /Python code doesn't run in attacks\. Mock this node\./);
		assert.deepEqual(listUntested(events), ['work']);
	});

	for (const [reason, isOutage] of Object.entries({
		unauthorized: true,
		'rate-limited': true,
		network: true,
		server: true,
		'not-found': true,
		'bad-request': false,
		'context-length': false,
	})) {
		it(`reports ${isOutage ? 'that nothing was tested' : 'a failure as usual'} if the model fails with ${reason}`, async () => {
			const models: EngineServices['models'] = {
				// biome-ignore lint/correctness/useYield: it fails before its first part
				async *streamReply() {
					throw Object.assign(new Error('No.'), { reason });
				},
			};
			const { data, events } = await runAttacked(llm, 'text', {}, { models });
			assert.equal(data.status, 'failed');
			assert.deepEqual(listUntested(events), isOutage ? ['work'] : []);
		});
	}

	it('uses the stand-ins with a recording, too', async () => {
		const session = { mode: 'all', normalizeRequest: () => ({ key: 'http:000000000000', request: {} }), addCall: () => undefined };
		const run = {
			session,
			secrets: {},
			addAgentSecrets: () => undefined,
			getFixedChance: () => ({ time: 0, seed: 0 }),
			replayOrCall: (_: unknown, makeCall: () => Promise<unknown>) => makeCall(),
		};
		const recording = { run, path: '' } as unknown as RecordingLevel;
		const { data } = await runAttacked(createHttpNode('https://api.example'), 'body', { recording });
		assert.deepEqual([data.outputs, data.error], [{ out: 'THE ATTACK' }, null]);
	});
});
