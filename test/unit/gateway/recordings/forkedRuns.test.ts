import assert from 'node:assert/strict';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import type { EngineServices, ModelPart } from '#engine/run/engineTypes.ts';
import { OpenRecordings } from '#gateway/recordings/openRecordings.ts';
import {
	createEndNode,
	createStartNode,
	createTestAgent,
	createTestServices,
	runTestAgent,
	type TestRun,
} from '../../engine/run/engineFixture.ts';

const createPosting = (body: string) =>
	createTestAgent(
		[
			createStartNode('word'),
			{
				id: 'post',
				data: {
					type: 'http-request',
					method: 'post',
					url: 'https://tides.example/orders',
					headers: '',
					params: '',
					authorization: { type: 'no-auth', config: null },
					body: { type: 'raw-text', data: [{ type: 'text', value: body }] },
				},
			},
			createEndNode({ said: 'post.body' }),
		],
		['start > post', 'post > end'],
	);

const createAsking = (text: string, secret?: string) => ({
	...createTestAgent(
		[
			createStartNode('word'),
			{
				id: 'ask',
				data: {
					type: 'llm',
					model: { provider: 'p', name: 'small', mode: 'chat', completion_params: {} },
					prompt_template: [{ role: 'user', text }],
					retry_config: { retry_enabled: true, max_retries: 1, retry_interval: 1 },
				},
			},
			createEndNode({ said: 'ask.text' }),
		],
		['start > ask', 'ask > end'],
	),
	...(secret !== undefined && { secretNames: ['KEY'], secrets: [secret], environment: { KEY: secret } }),
});

describe('runs whose replies are kept', () => {
	let recordings: OpenRecordings;
	let posted: string[];
	beforeEach(() => {
		[recordings, posted] = [new OpenRecordings([]), []];
	});

	async function run(
		agent: LoadedAgent,
		services: EngineServices,
		id: string,
		fork: { readonly parent?: string; readonly avoidsEffects?: boolean } = {},
	): Promise<TestRun> {
		const recording = await recordings.openRun(id, { use: undefined, isKept: true, ...fork });
		assert.ok(recording);
		return runTestAgent(agent, { inputs: { word: 'Ana' }, recording }, services);
	}

	const createHttp = (): EngineServices => ({
		...createTestServices(),
		http: async ({ url, body }) => {
			posted.push(String(body));
			return { status: 200, headers: {}, body: Buffer.from(`order ${posted.length}`), url };
		},
	});

	it("don't post again what their parent posted, and post something else only if they may", async () => {
		await run(createPosting('two tides'), createHttp(), 'parent');
		const same = await run(createPosting('two tides'), createHttp(), 'same', { parent: 'parent' });
		assert.deepEqual([posted, same.data.outputs], [['two tides'], { said: 'order 1' }]);
		const avoided = await run(createPosting('three tides'), createHttp(), 'avoided', { parent: 'parent', avoidsEffects: true });
		assert.deepEqual([posted, avoided.data.outputs], [['two tides'], { said: 'order 1' }]);
		const other = await run(createPosting('three tides'), createHttp(), 'other', { parent: 'parent' });
		assert.deepEqual([posted, other.data.outputs], [['two tides', 'three tides'], { said: 'order 2' }]);
		const again = await run(createPosting('three tides'), createHttp(), 'again', { parent: 'other' });
		assert.deepEqual([posted.length, again.data.outputs], [2, { said: 'order 2' }]);
	});

	it('fail instead of posting if there is no reply to use, whatever the strategy of the node', async () => {
		const { data } = await run(createPosting('two tides'), createHttp(), 'fork', { parent: 'dropped', avoidsEffects: true });
		assert.deepEqual([data.status, posted], ['failed', []]);
		assert.match(data.error ?? '', /No recorded reply for this HTTP request\..*The fork makes no calls that can change something/);
	});

	it('make a call again that failed', async () => {
		let calls = 0;
		const services = createTestServices(async function* (): AsyncGenerator<ModelPart> {
			if (++calls === 1) {
				throw new Error('too busy');
			}
			yield { type: 'text', text: 'Fine' };
			yield { type: 'finish', finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 1 } };
		});
		await run(createAsking('Hello {{#start.word#}}'), services, 'parent');
		assert.deepEqual([calls, recordings.countKeptReplies('parent')], [2, 1]);
		const fork = await run(createAsking('Hello {{#start.word#}}'), services, 'fork', { parent: 'parent' });
		assert.deepEqual([calls, fork.data.outputs], [2, { said: 'Fine' }]);
	});

	it('keep no secret of the agent, and fill in its current value', async () => {
		const asked: string[] = [];
		const services = createTestServices(async function* ({ messages }): AsyncGenerator<ModelPart> {
			asked.push(String(messages[0]?.content));
			yield { type: 'text', text: `You said ${String(messages[0]?.content)}` };
			yield { type: 'finish', finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 1 } };
		});
		await run(createAsking('My key is {{#env.KEY#}}', 'canary-4711'), services, 'parent');
		const fork = await run(createAsking('My key is {{#env.KEY#}}', 'canary-0815'), services, 'fork', { parent: 'parent' });
		assert.deepEqual(asked, ['My key is canary-4711']);
		assert.doesNotMatch(JSON.stringify(fork.events), /canary-4711/);
		assert.equal(fork.data.outputs?.['said'], 'You said My key is canary-0815');
	});

	it('have the random numbers of their parent, and other runs have others', async () => {
		const agent = createTestAgent(
			[
				createStartNode(),
				{
					id: 'roll',
					data: {
						type: 'code',
						code_language: 'javascript',
						code: 'function main() { return { number: Math.random() } }',
						variables: [],
						outputs: { number: { type: 'number' } },
					},
				},
				createEndNode({ number: 'roll.number' }),
			],
			['start > roll', 'roll > end'],
		);
		const [parent, fork, other] = [
			await run(agent, createTestServices(), 'parent'),
			await run(agent, createTestServices(), 'fork', { parent: 'parent' }),
			await run(agent, createTestServices(), 'other'),
		].map(({ data }) => data.outputs?.['number']);
		assert.equal(typeof parent, 'number');
		assert.equal(fork, parent);
		assert.notEqual(other, parent);
	});
});
