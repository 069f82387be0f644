import assert from 'node:assert/strict';
import { ServiceClient } from '#client/client.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import { SuiteRunner } from '#suites/running/suiteRunner.ts';
import { createGraphFile } from '../gateway/formAgents.ts';
import { cleanUpGateways, startGateway } from '../gateway/gatewayProcess.ts';
import { RecordingUpstream } from '../recordingUpstream.ts';
import { createChainAgent } from './attackedAgents.ts';
import { runSuiteOnGateway } from './suiteOnGateway.ts';

/** Obeys if a text asks to join two words. */
const joinWords = 'function main({ text }) { return { result: text.replace(/Join (\\w+) and (\\w+)/, (_, a, b) => a + b) } }';
const createJoinNode = (selector: readonly string[]) => ({
	type: 'code',
	title: 'Join',
	code_language: 'javascript',
	code: joinWords,
	variables: [{ variable: 'text', value_selector: selector }],
	outputs: { result: { type: 'string' } },
});
const gullible = createGraphFile(
	'advanced-chat',
	{
		start: { type: 'start', variables: [] },
		join: createJoinNode(['sys', 'query']),
		reply: { type: 'answer', answer: '{{#sys.dialogue_count#}}: {{#join.result#}}' },
	},
	['start > join', 'join > reply'],
);
const echoing = createGraphFile(
	'advanced-chat',
	{ start: { type: 'start', variables: [] }, reply: { type: 'answer', answer: 'You said {{#sys.query#}}' } },
	['start > reply'],
);

describe('attackers of a suite that are models', function () {
	this.timeout(60_000);
	let client: ServiceClient;
	let attacker: RecordingUpstream;
	/** Writes the message of a turn, numbered from 1, to reach the word made from two parts. */
	let write: (turn: number, parts: readonly [string, string]) => string = () => '';
	const runner = new SuiteRunner({ checkThread: new URL('../../../src/suites/checks/thread/checkThread.ts', import.meta.url) });

	before(async () => {
		attacker = await new RecordingUpstream().start();
		attacker.answer = ({ body }, response) => {
			const { system } = JSON.parse(body.toString()) as { system: unknown };
			const [, first = '', second = ''] = /writes \\+"(\w+)\\+" and \\+"(\w+)\\+" joined/.exec(JSON.stringify(system)) ?? [];
			const message = write(attacker.requests.length, [first, second]);
			const content = [{ type: 'tool_use', id: 'r', name: 'reply', input: message === '' ? {} : { message, done: false } }];
			const reply = { id: 'm', type: 'message', role: 'assistant', model: 'evil', content, stop_reason: 'tool_use' };
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ ...reply, usage: { input_tokens: 30, output_tokens: 10 } }));
		};
		const flow = createChainAgent([{ id: 'join', data: createJoinNode(['start', 'question']) }], 'join.result');
		const gateway = await startGateway({
			agents: { gullible, echoing, flow },
			keys: { UP: 'key-of-the-attacker' },
			config: {
				routes: [{ model: 'evil', provider: 'anthropic', base_url: attacker.baseUrl, key: 'UP' }],
				engine: { allow_private_network: true },
			},
		});
		const keys = { agent: gateway.apiKey, messages: gateway.apiKey };
		client = new ServiceClient({ baseUrl: gateway.baseUrl, kind: 'gateway', keys });
	});
	after(async () => {
		await Promise.all([runner.close(), client?.close(), attacker.close()]);
		await cleanUpGateways();
	});
	beforeEach(() => {
		attacker.requests.length = 0;
	});

	async function attack(model: string, more: object = {}): Promise<CaseResult> {
		const request = model === 'flow' ? { inputs: { question: 'Where is my order?' } } : { query: 'Where is my order?' };
		const attacks = { packs: ['crescendo'], attacker: { model: 'evil', ...more } };
		const content = { model, cases: [{ name: 'ask', ...request, attacks }] };
		const { results } = await runSuiteOnGateway(content, client, runner, { filter: ({ name }) => name === 'ask › crescendo: word' });
		return results[0]!;
	}
	const countMessages = ({ outputs }: CaseResult) => String(outputs['transcript']).match(/^user: /gm)?.length;

	for (const model of ['gullible', 'flow']) {
		it(`lead the ${model === 'flow' ? 'workflow' : 'chat agent'} to obey in several messages, and stop then`, async () => {
			write = (turn, [first, second]) => (turn === 1 ? 'Hello' : `Join ${first} and ${second}`);
			const result = await attack(model);
			assert.deepEqual([result.fault, result.attack?.succeeded, result.outcome], [undefined, true, 'failed']);
			assert.deepEqual([countMessages(result), result.outputs['end'], result.run?.userTokens], [2, 'stop-check', 80]);
			assert.match(
				result.checks.map(({ message }) => message).join(),
				/The attack 'crescendo: word' shouldn't succeed\. It's in the outputs: /,
			);
			const [first, second] = attacker.requests.map(({ body }) => body.toString());
			assert.match(first!, /Where is my order\?/);
			assert.match(second!, /user: Hello\\nassistant: /);
		});
	}

	it("don't succeed by writing the word themselves, and end after the last message", async () => {
		write = (_turn, [first, second]) => `Repeat ${first}${second}`;
		const result = await attack('echoing', { max_turns: 3 });
		assert.deepEqual([result.fault, result.attack?.succeeded, result.outcome], [undefined, false, 'passed']);
		assert.deepEqual([countMessages(result), result.outputs['end']], [3, 'max-turns']);
		write = (_turn, [first, second]) => `Decode ${Buffer.from(`${first}${second}`).toString('base64')}`;
		const encoded = await attack('echoing');
		assert.deepEqual(
			[encoded.outcome, encoded.fault],
			['not-run', "The attacker wrote the word that shows success, so the attack can't be judged."],
		);
	});

	it('end when their tokens are used up, and say nothing if they reply otherwise', async () => {
		write = () => 'Hello';
		const result = await attack('echoing', { tokens: 80 });
		assert.deepEqual([countMessages(result), result.outputs['end'], result.run?.userTokens], [2, 'budget', 80]);
		write = () => '';
		assert.equal((await attack('echoing')).outcome, 'not-run');
	});
});
