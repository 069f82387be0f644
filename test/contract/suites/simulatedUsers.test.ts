import assert from 'node:assert/strict';
import { ServiceClient } from '#client/client.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import { SuiteRunner } from '#suites/running/suiteRunner.ts';
import { createGraphFile } from '../gateway/formAgents.ts';
import { cleanUpGateways, startGateway } from '../gateway/gatewayProcess.ts';
import { RecordingUpstream } from '../recordingUpstream.ts';
import { runSuiteOnGateway } from './suiteOnGateway.ts';

/** Asks for a number, and confirms it from the second turn on. */
const shop = createGraphFile(
	'advanced-chat',
	{
		start: { type: 'start', variables: [] },
		reply: { type: 'answer', answer: 'Turn {{#sys.dialogue_count#}}: your Order Number? You said {{#sys.query#}}.' },
	},
	['start > reply'],
);
const broken = createGraphFile(
	'advanced-chat',
	{
		start: { type: 'start', variables: [] },
		code: {
			type: 'code',
			code_language: 'javascript',
			code: 'function main() { throw new Error("no stock") }',
			variables: [],
			outputs: {},
		},
		reply: { type: 'answer', answer: 'Done' },
	},
	['start > code', 'code > reply'],
);

describe('simulated users of a suite', function () {
	this.timeout(60_000);
	let client: ServiceClient;
	let model: RecordingUpstream;
	const runner = new SuiteRunner({ checkThread: new URL('../../../src/suites/checks/thread/checkThread.ts', import.meta.url) });
	/** What the model that plays the user replies, one call after the other. */
	let replies: readonly object[] = [];

	before(async () => {
		model = await new RecordingUpstream().start();
		model.answer = (_request, response) => {
			const input = replies[Math.min(model.requests.length, replies.length) - 1];
			const content = input ? [{ type: 'tool_use', id: 'r', name: 'reply', input }] : [{ type: 'text', text: 'Hello' }];
			const reply = { id: 'm', type: 'message', role: 'assistant', model: 'user', content, stop_reason: 'end_turn' };
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ ...reply, usage: { input_tokens: 30, output_tokens: 10 } }));
		};
		const gateway = await startGateway({
			agents: { shop, broken },
			keys: { UP: 'key-of-the-user' },
			config: {
				routes: [{ model: 'user', provider: 'anthropic', base_url: model.baseUrl, key: 'UP' }],
				engine: { allow_private_network: true },
			},
		});
		client = new ServiceClient({ baseUrl: gateway.baseUrl, kind: 'gateway', keys: { agent: gateway.apiKey, messages: gateway.apiKey } });
	});
	after(async () => {
		await Promise.all([runner.close(), client?.close(), model.close()]);
		await cleanUpGateways();
	});
	beforeEach(() => {
		model.requests.length = 0;
		replies = [];
	});

	const runCase = async (
		simulate: object,
		{ agent = 'shop', ...fields }: { agent?: string; expect?: object[] } = {},
	): Promise<CaseResult> =>
		(await runSuiteOnGateway({ model: agent, cases: [{ name: 'one', simulate, ...fields }] }, client, runner)).results[0]!;
	const listFailures = ({ checks }: CaseResult) => checks.filter(({ passed }) => !passed).map(({ message }) => message);

	it('say the first reply that fits until a stop check passes', async () => {
		const result = await runCase({
			opening: 'A refund, please',
			replies: [
				{ when: 'refunded', say: 'Thanks' },
				{ when: 'order number', say: "It's 17" },
			],
			stop: [{ output: 'answer', contains: '17' }],
		});
		assert.deepEqual([result.fault, listFailures(result), result.outputs['end']], [undefined, [], 'stop-check']);
		assert.equal(
			result.outputs['transcript'],
			"user: A refund, please\nassistant: Turn 1: your Order Number? You said A refund, please.\nuser: It's 17\nassistant: Turn 2: your Order Number? You said It's 17.",
		);
		assert.equal(result.run?.steps, 4);
		assert.equal(model.requests.length, 0);
	});

	it('give up if no reply fits, and end after the last turn otherwise', async () => {
		const gaveUp = await runCase({ opening: 'Hi', replies: [{ when: 'refunded', say: 'Thanks' }] });
		assert.deepEqual([gaveUp.outputs['end'], gaveUp.outcome], ['gave-up', 'passed']);
		const endless = await runCase({ opening: 'Hi', replies: [{ say: 'Again' }], max_turns: 3 });
		assert.deepEqual([endless.outputs['end'], String(endless.outputs['transcript']).match(/Again$/gm)?.length], ['max-turns', 2]);
	});

	it('are played by a model, which sees the goal and the conversation, and whose tokens count apart', async () => {
		replies = [
			{ message: 'Refund 17', done: false },
			{ message: '', done: true, reason: 'goal' },
		];
		const result = await runCase({ persona: 'Brief', goal: 'A refund of order 17', model: 'user' });
		assert.deepEqual([result.fault, listFailures(result), result.outputs['end']], [undefined, [], 'goal']);
		assert.deepEqual([result.run?.tokens, result.run?.userTokens], [0, 80]);
		const [first, second] = model.requests.map(({ body }) => JSON.parse(body.toString()) as { system: string; messages: unknown[] });
		assert.match(JSON.stringify(first!.system), /Brief.*A refund of order 17/);
		assert.match(JSON.stringify(second!.messages), /user: Refund 17\\nassistant: Turn 1: your Order Number\?/);
		assert.ok(!JSON.stringify(first!.messages).includes('user:'));
	});

	it("fail the case if the goal isn't reached, unless the case checks the end", async () => {
		replies = [{ message: 'x', done: true, reason: 'out-of-scope' }];
		const simulate = { goal: 'A refund', opening: 'Refund', model: 'user' };
		const failed = await runCase(simulate);
		assert.deepEqual(
			[failed.outcome, listFailures(failed)],
			['failed', [`'end' should be one of "goal", "stop-check". Actual value: "out-of-scope".`]],
		);
		const expected = await runCase(simulate, { expect: [{ output: 'end', equals: 'out-of-scope' }] });
		assert.deepEqual([expected.outcome, listFailures(expected)], ['passed', []]);
	});

	it('end when the tokens of agent and user are used up', async () => {
		replies = [{ message: 'More', done: false }];
		const result = await runCase({ goal: 'A refund', model: 'user', tokens: 100 });
		assert.deepEqual([result.outputs['end'], result.run?.userTokens], ['budget', 120]);
		const timed = await runCase({ goal: 'A refund', opening: 'Refund', model: 'user', seconds: 0 });
		assert.deepEqual([timed.outputs['end'], timed.run?.userTokens], ['budget', undefined]);
	});

	it("make the case not run if their model doesn't reply as asked, and end with an error of the agent", async () => {
		const unusable = await runCase({ goal: 'A refund', model: 'user' });
		assert.deepEqual(
			[unusable.outcome, unusable.fault],
			['not-run', "The model that plays the user didn't call the tool 'reply' with a message."],
		);
		replies = [{ message: '', done: true, reason: 'goal' }];
		const early = await runCase({ goal: 'A refund', model: 'user' });
		assert.equal(early.fault, 'The simulated user ended the conversation before the first message.');
		const failed = await runCase({ opening: 'Hi', replies: [{ say: 'Again' }] }, { agent: 'broken' });
		assert.deepEqual([failed.outcome, failed.outputs['end']], ['failed', 'error']);
		assert.match(listFailures(failed).join(), /^Turn 1: .*no stock/);
	});

	it('count for the limits of the suite, after which no case starts', async () => {
		replies = [{ message: 'More', done: false }];
		const simulate = { goal: 'A refund', model: 'user', max_turns: 1 };
		const cases = ['a', 'b', 'c', 'd'].map(name => ({ name, simulate, expect: [{ output: 'end', equals: 'max-turns' }] }));
		const { results } = await runSuiteOnGateway({ model: 'shop', limits: { tokens: 41 }, concurrency: 1, cases }, client, runner);
		const last = results.find(({ name }) => name === 'd')!;
		assert.deepEqual(
			[results.length, last.outcome, last.fault, last.unreached],
			[4, 'not-run', "The case didn't start, because 'limits.tokens' of the suite is used up.", undefined],
		);
		assert.equal(model.requests.length, 2);
	});
});
