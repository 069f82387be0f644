import assert from 'node:assert/strict';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import { type CheckTools, evaluateCheck } from '#suites/checks/evaluate.ts';
import { RunTrace } from '#suites/running/runTrace.ts';
import { SuiteFixture } from '../results/suiteFixture.ts';

const place = { file: '/a.suite.json', offset: 0, length: 1, line: 1, column: 1 };

const createChunk = (document: string, segment: string, content: string) => ({
	title: document,
	content,
	metadata: { document_name: document, segment_id: segment },
});

const chunks = [
	createChunk('terms.md', 's1', 'Delivery takes 5 days.'),
	createChunk('faq.md', 's2', 'You can return it\nwithin 30 days. It costs 1,234.50 EUR.'),
	createChunk('terms.md', 's3', 'Signed on 27.11.2026.'),
	createChunk('faq.md', 's4', 'We say "no questions asked".'),
];

function createTrace(...events: readonly object[]): RunTrace {
	const trace = new RunTrace();
	for (const event of events) {
		trace.add({ task_id: 't', ...event } as WorkflowEvent);
	}
	return trace;
}

/** Creates the events of a knowledge node. */
const createSearch = (node: string, result: readonly object[]) =>
	['node_started', 'node_finished'].map(event => ({
		event,
		data: {
			id: `e-${node}`,
			node_id: node,
			node_type: 'knowledge-retrieval',
			title: node,
			inputs: {},
			outputs: { result },
			status: 'succeeded',
		},
	}));

const searched = createTrace(...createSearch('search', chunks));

function check(rag: object, trace = searched, outputs: Readonly<Record<string, unknown>> = {}, not = false) {
	const run = { status: 'succeeded', seconds: 1, tokens: 1, steps: 1 };
	const tools = { getSecrets: () => new Map(), signal: new AbortController().signal, t: fillPlaceholders } as unknown as CheckTools;
	return evaluateCheck(
		{ fields: { rag, ...(not && { not }) }, kind: 'rag', place },
		{ name: 'a' },
		{ run, outputs, trace, row: undefined, fromText: false },
		tools,
	);
}

describe('the check of retrieval', () => {
	for (const [metric, more, value] of [
		['hit', { relevant: ['faq.md'] }, 1],
		['hit', { relevant: ['faq.md'], k: 1 }, 0],
		['recall', { relevant: ['faq.md', 'gone.md'] }, 0.5],
		['recall', { relevant: ['s3', 'Within 30  DAYS', 'faq.md', 'faq.md'] }, 1],
		['precision', { relevant: ['faq.md'] }, 0.5],
		['precision', { relevant: ['faq.md'], k: 3 }, 1 / 3],
		['mrr', { relevant: ['faq.md'] }, 0.5],
		['mrr', { relevant: ['gone.md'] }, 0],
		['ndcg', { relevant: ['s1', 's2'] }, 1],
		// ranks 2 and 4 instead of 1 and 2
		['ndcg', { relevant: ['s2', 's4'] }, (1 / Math.log2(3) + 1 / Math.log2(5)) / (1 + 1 / Math.log2(3))],
		// further segments of a document gain nothing
		['ndcg', { relevant: ['terms.md'] }, 1],
		['ndcg', { relevant: ['s2', 's4'], k: 2 }, 1 / Math.log2(3) / (1 + 1 / Math.log2(3))],
		['contextPrecision', { relevant: ['faq.md'] }, (1 / 2 + 2 / 4) / 2],
		['contextPrecision', { relevant: ['terms.md'] }, (1 + 2 / 3) / 2],
	] as const) {
		it(`measures ${metric} ${value.toFixed(3)} for ${JSON.stringify(more)}`, async () => {
			const { score, passed } = await check({ metric, ...more });
			assert.equal(score.toFixed(9), value.toFixed(9));
			assert.equal(passed, value === 1);
			assert.equal((await check({ metric, ...more, atLeast: value })).passed, true);
		});
	}

	it('says what was retrieved and what is missing', async () => {
		assert.equal(
			(await check({ metric: 'recall', relevant: ['faq.md', 'gone.md'], atLeast: 0.9 })).message,
			"'rag.recall' should be at least 0.9. Actual value: 0.50. Retrieved: terms.md, faq.md. Missing: gone.md.",
		);
	});

	it('fails if there is nothing to measure, also with `not`', async () => {
		assert.equal((await check({ metric: 'grounded' }, searched, { answer: 'No number.' }, true)).passed, false);
		assert.equal((await check({ metric: 'grounded' }, searched, { answer: 'It takes 7 days.' }, true)).passed, true);
		for (const metric of ['precision', 'contextPrecision']) {
			const { passed, message } = await check({ metric, relevant: ['faq.md'], atLeast: 0 }, createTrace());
			assert.equal(passed, false);
			assert.match(message!, /There is nothing to measure\. Nothing was retrieved\. Missing: faq\.md\.$/);
		}
		assert.equal((await check({ metric: 'citations' }, searched, { answer: 'No marker.' })).passed, false);
		assert.equal((await check({ metric: 'grounded' }, searched, { answer: 'No number.' })).passed, false);
	});

	it('considers knowledge nodes and dataset tools, or one node, or else the sources of the reply', async () => {
		const call = {
			event: 'agent_log',
			data: {
				id: 'c',
				node_id: 'work',
				label: 'CALL dataset_1',
				status: 'success',
				error: null,
				data: { tool_name: 'dataset_1', output: 'Found in a tool.' },
			},
		};
		const trace = createTrace(...createSearch('one', chunks.slice(0, 1)), ...createSearch('two', chunks.slice(1)), call);
		assert.equal((await check({ metric: 'recall', relevant: ['s1', 's2', 'found in a tool'] }, trace)).passed, true);
		assert.equal((await check({ metric: 'recall', relevant: ['s2'], node: 'one' }, trace)).passed, false);
		assert.equal((await check({ metric: 'recall', relevant: ['s2'], node: 'two' }, trace)).passed, true);
		const sources = [{ document_name: 'faq.md', segment_id: 's2', content: 'x' }];
		const chat = createTrace({ event: 'message_end', metadata: { retriever_resources: sources } });
		assert.equal((await check({ metric: 'hit', relevant: ['faq.md'] }, chat)).passed, true);
	});

	for (const [reply, value] of [
		['Yes [1] and [2, 4].', 1],
		['Yes [1] and 【5】.', 0.5],
		['Yes [^9].', 0],
	] as const) {
		it(`measures citations ${value} in '${reply}'`, async () => {
			assert.equal((await check({ metric: 'citations' }, searched, { answer: reply })).score, value);
		});
	}

	for (const [reply, value, missing] of [
		['30 days [7], 1234.5 EUR.', 1],
		['1.234,50 EUR', 1],
		['31 days', 0, '31'],
		['On 2026-11-27 it was signed.', 1],
		['On 2026-11-28 it was signed.', 0, '2026-11-28'],
		['1. Return it within 30 days.\n2. Done.', 1],
		['They say "no  Questions asked" and "never".', 0.5, '"never"'],
		['30 days, or 40', 0.5, '40'],
	] as const) {
		it(`measures grounded ${value} in ${JSON.stringify(reply)}`, async () => {
			const { score, message } = await check({ metric: 'grounded' }, searched, { other: 7, answer: reply });
			assert.equal(score, value);
			assert.ok(missing === undefined || message!.endsWith(`Missing: ${missing}.`), message);
		});
	}

	it('is refused without what is relevant, for an unknown node and with a minimum above 1', async () => {
		const fixture = new SuiteFixture();
		const expect = [
			{ rag: { metric: 'recall' } },
			{ rag: { metric: 'hit', relevant: ['a'], atLeast: 2 } },
			{ rag: { metric: 'grounded' } },
		];
		const { faults } = await fixture.readSuite({ model: 'a', cases: [{ name: 'a', expect }] });
		assert.deepEqual(
			faults.map(({ message }) => message),
			[
				"'rag.relevant' is missing. 'recall' needs names of documents, IDs of segments or quotes.",
				"'rag.atLeast' is 2. Expected a number from 0 to 1.",
			],
		);
		await fixture.close();
	});
});
