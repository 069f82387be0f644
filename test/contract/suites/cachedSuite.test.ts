import assert from 'node:assert/strict';
import { ServiceClient } from '#client/client.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import { SuiteRunner } from '#suites/running/suiteRunner.ts';
import { cleanUpGateways, startGateway } from '../gateway/gatewayProcess.ts';
import { createStreamResponse, RecordingUpstream } from '../recordingUpstream.ts';
import { runSuiteOnGateway } from './suiteOnGateway.ts';

const agent = `kind: app
app: { name: ask, mode: workflow }
workflow:
  graph:
    nodes:
      - id: start
        data: { type: start, title: Start, variables: [{ variable: question, label: Question, type: text-input, required: true }] }
      - id: model
        data:
          type: llm
          title: Model
          model: { provider: any, name: paid, mode: chat, completion_params: {} }
          prompt_template: [{ role: user, text: '{{#start.question#}}' }]
          context: { enabled: false, variable_selector: [] }
          vision: { enabled: false }
      - id: end
        data: { type: end, title: End, outputs: [{ variable: answer, value_selector: [model, text] }] }
    edges:
      - { id: a, source: start, target: model, sourceHandle: source, targetHandle: target }
      - { id: b, source: model, target: end, sourceHandle: source, targetHandle: target }
`;

describe('a suite with a cache', () => {
	let upstream: RecordingUpstream;
	let client: ServiceClient;
	const runner = new SuiteRunner({ checkThread: new URL('../../../dist/checkThread.js', import.meta.url) });

	before(async () => {
		upstream = await new RecordingUpstream().start();
		// the service never repeats a reply
		upstream.answer = (request, response) => {
			const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'paid' };
			const text = {
				...chunk,
				choices: [{ index: 0, delta: { role: 'assistant', content: `Answer ${upstream.requests.length}` }, finish_reason: null }],
			};
			const end = {
				...chunk,
				choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
				usage: { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 },
			};
			return createStreamResponse(`data: ${JSON.stringify(text)}\n\ndata: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`)(request, response);
		};
		const gateway = await startGateway({
			agents: { ask: agent },
			config: {
				routes: [
					{
						model: 'paid',
						provider: 'openai-compatible',
						base_url: upstream.baseUrl,
						price: { input: 3, output: 15, currency: 'EUR' },
					},
				],
			},
		});
		client = new ServiceClient({ baseUrl: gateway.baseUrl, kind: 'gateway', keys: { agent: gateway.apiKey } });
	});
	after(async () => {
		await runner.close();
		await client.close();
		await upstream.close();
		await cleanUpGateways();
	});

	const runSuiteText = async (suite: object) => (await runSuiteOnGateway(suite, client, runner)).results;
	const createWeatherCases = (expect: readonly object[]) => [{ name: 'one', inputs: { question: 'Why?' }, expect }];
	const listCaseOutcomes = (results: readonly CaseResult[]) =>
		results.map(({ outcome, fault, checks }) => [outcome, fault, checks.flatMap(({ message = [] }) => message)]);
	const passed = [['passed', undefined, []]];

	it('costs money only once, then returns the same results for free', async () => {
		const same = { output: 'answer', equals: 'Answer 1' };
		const [first] = await runSuiteText({
			model: 'ask',
			cache: true,
			cases: createWeatherCases([{ cost: { min: 0.006, max: 0.006 } }, same]),
		});
		assert.deepEqual(listCaseOutcomes(first ? [first] : []), passed);
		const [again] = await runSuiteText({ model: 'ask', cache: true, cases: createWeatherCases([{ cost: { max: 0 } }, same]) });
		assert.deepEqual(listCaseOutcomes(again ? [again] : []), passed);
		assert.deepEqual([first?.run?.cost, again?.run?.cost], [0.006, 0]);
		assert.equal(upstream.requests.length, 1);
	});

	it('sends requests again without the cache, and reports the cost in a failed check', async () => {
		const asked = upstream.requests.length;
		const [result] = await runSuiteText({
			model: 'ask',
			cases: createWeatherCases([{ cost: { max: 0.005 } }, { output: 'answer', equals: `Answer ${asked + 1}` }]),
		});
		assert.equal(upstream.requests.length, asked + 1);
		assert.equal(result?.outcome, 'failed');
		assert.deepEqual(
			result?.checks.flatMap(({ message = [] }) => message),
			["'run.cost' should be at most 0.005. Actual value: 0.006."],
		);
	});
});
