import assert from 'node:assert/strict';
import { ServiceClient } from '#client/client.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import { SuiteRunner } from '#suites/running/suiteRunner.ts';
import { createFormAgent, createFormNode, createGraphFile } from '../gateway/formAgents.ts';
import { cleanUpGateways, startGateway } from '../gateway/gatewayProcess.ts';
import { runSuiteOnGateway } from './suiteOnGateway.ts';

/** Answers with the number of the turn, the message and the one before. */
const remembering = createGraphFile(
	'advanced-chat',
	{
		start: { type: 'start', variables: [{ variable: 'name', label: 'Name', type: 'text-input', required: false, max_length: 48 }] },
		reply: { type: 'answer', answer: '{{#sys.dialogue_count#}}: {{#sys.query#}} after {{#conversation.last#}} for {{#start.name#}}' },
		keep: {
			type: 'assigner',
			version: '2',
			items: [{ variable_selector: ['conversation', 'last'], operation: 'over-write', input_type: 'variable', value: ['sys', 'query'] }],
		},
	},
	['start > reply', 'reply > keep'],
	{ conversation_variables: [{ id: 'l', name: 'last', value_type: 'string', value: 'nothing' }] },
);
const asking = createGraphFile(
	'advanced-chat',
	{
		start: { type: 'start', variables: [] },
		ask: createFormNode({ form_content: 'Is it? {{#$output.note#}}', inputs: [{ type: 'paragraph', output_variable_name: 'note' }] }),
		after: { type: 'answer', answer: 'Noted {{#ask.note#}} of {{#sys.query#}}.' },
		denied: { type: 'answer', answer: 'Denied.' },
	},
	['start > ask', 'ask [ok] > after', 'ask [deny] > denied'],
);

describe('conversations in a suite', function () {
	this.timeout(60_000);
	let client: ServiceClient;
	const runner = new SuiteRunner({ checkThread: new URL('../../../src/suites/checks/thread/checkThread.ts', import.meta.url) });

	before(async () => {
		const gateway = await startGateway({ agents: { remembering, asking, form: createFormAgent() } });
		client = new ServiceClient({ baseUrl: gateway.baseUrl, kind: 'gateway', keys: { agent: gateway.apiKey } });
	});
	after(async () => {
		await Promise.all([runner.close(), client?.close()]);
		await cleanUpGateways();
	});

	const runCase = async (model: string, fields: object): Promise<CaseResult> =>
		(await runSuiteOnGateway({ model, cases: [{ name: 'one', ...fields }] }, client, runner)).results[0]!;
	const listMessages = ({ fault, checks }: CaseResult) => [
		...(fault === undefined ? [] : [fault]),
		...checks.flatMap(({ message = [] }) => message),
	];

	it('carry on the same conversation, check each turn, and the whole with its transcript', async () => {
		const result = await runCase('remembering', {
			inputs: { name: 'Ana' },
			turns: [
				{ query: 'One', expect: [{ output: 'answer', equals: '1: One after nothing for Ana' }] },
				{ query: 'Two', inputs: { name: 'Ben' }, expect: [{ output: 'answer', equals: '2: Two after One for Ben' }] },
			],
			expect: [
				{ output: 'answer', startsWith: '2: Two' },
				{
					output: 'transcript',
					equals: 'user: One\nassistant: 1: One after nothing for Ana\nuser: Two\nassistant: 2: Two after One for Ben',
				},
				{ nodes: { ran: ['reply', 'keep'] } },
				{ steps: 6 },
			],
		});
		assert.deepEqual(listMessages(result), []);
		assert.equal(result.outcome, 'passed');
		assert.deepEqual(
			result.checks.slice(0, 2).map(({ name, kind }) => [name.slice(0, 8), kind]),
			[
				['Turn 1: ', 'status'],
				['Turn 1: ', 'equals'],
			],
		);
	});

	it('end with the first turn whose checks fail, unless the case continues', async () => {
		const turns = [
			{ query: 'One', expect: [{ output: 'answer', contains: 'missing' }] },
			{ query: 'Two', expect: [{ output: 'answer', startsWith: '2' }] },
		];
		const stopped = await runCase('remembering', { turns, expect: [{ output: 'transcript', contains: 'Two' }] });
		const [first, transcript, ...others] = listMessages(stopped);
		assert.match(first!, /^Turn 1: 'answer' should contain "missing"/);
		assert.match(transcript!, /^'transcript' should contain "Two"/);
		assert.deepEqual(others, []);
		const continued = await runCase('remembering', { turns, on_turn_failure: 'continue' });
		assert.deepEqual([listMessages(continued).length, continued.outcome], [1, 'failed']);
		assert.equal(continued.outputs['answer'], '2: Two after One for ');
	});

	it('answer forms, with the answer of the turn or else of the case', async () => {
		const result = await runCase('asking', {
			forms: { ask: { action: 'No' } },
			turns: [
				{
					query: 'A',
					forms: { ask: { action: 'ok', inputs: { note: 'yes' } } },
					expect: [{ output: 'answer', equals: 'Noted yes of A.' }],
				},
				{ query: 'B', expect: [{ output: 'answer', equals: 'Denied.' }] },
			],
		});
		assert.deepEqual(listMessages(result), []);
		assert.equal(result.outcome, 'passed');
	});

	it('need no turns for the forms of a workflow, and report an unknown button', async () => {
		const fields = { inputs: { name: 'Ana' }, forms: { ask: { action: 'ok' } } };
		const answered = await runCase('form', {
			...fields,
			expect: [
				{ output: 'action', equals: 'Yes' },
				{ output: 'note', equals: 'Ana' },
			],
		});
		assert.deepEqual(listMessages(answered), []);
		const wrong = await runCase('form', { ...fields, forms: { ask: { action: 'maybe' } } });
		assert.deepEqual(listMessages(wrong), ["The form of 'ask' has no button 'maybe'. Expected one of ok, deny."]);
		const paused = await runCase('form', { inputs: { name: 'Ana' }, expect: [{ status: 'paused' }] });
		assert.deepEqual([listMessages(paused), paused.outcome], [[], 'passed']);
	});
});
