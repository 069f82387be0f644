import assert from 'node:assert/strict';
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { toAgentQuestion } from '#gateway/agentModels/agentQuestion.ts';
import { AgentReply } from '#gateway/agentModels/agentReply.ts';
import { createChatRun } from '#gateway/agentModels/chatWork.ts';
import { toWorkflowInputs } from '#gateway/agentModels/workflowInputs.ts';
import { createWorkflowRun } from '#gateway/agentModels/workflowWork.ts';

const createVariable = (name: string, type = 'text-input', required = true) => ({ variable: name, type, required });

describe('agents as models', () => {
	it('get the last user message with the previous turns, without system messages and tools', () => {
		const image = { type: 'file' as const, mediaType: 'image/png', data: { type: 'data' as const, data: '' } };
		const createText = (words: string) => ({ type: 'text' as const, text: words });
		const question = toAgentQuestion([
			{ role: 'system', content: 'Be brief.' },
			{ role: 'user', content: [createText('One'), image] },
			{ role: 'assistant', content: [createText('Two'), { type: 'tool-call', toolCallId: 'c', toolName: 't', input: {} }] },
			{ role: 'tool', content: [] },
			{ role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'd', toolName: 't', input: {} }] },
			{ role: 'user', content: [createText('Three'), createText('Four'), image] },
			{ role: 'assistant', content: [createText('Begun')] },
		]);
		assert.deepEqual(question, {
			query: 'Three\nFour',
			files: [image],
			history: [
				{ role: 'user', text: 'One' },
				{ role: 'assistant', text: 'Two' },
			],
		});
		assert.deepEqual(toAgentQuestion([{ role: 'system', content: 'x' }]), { query: '', files: [], history: [] });
	});

	it('use the given inputs first', () => {
		assert.deepEqual(toWorkflowInputs([createVariable('a')], { b: 1 }, '{"a":"x"}'), { b: 1 });
	});

	it('use the fields of a text that is an object of their variables', () => {
		const variables = [createVariable('a'), createVariable('n', 'number')];
		assert.deepEqual(toWorkflowInputs(variables, undefined, ' {"a":"x","n":2}\n'), { a: 'x', n: 2 });
		assert.deepEqual(toWorkflowInputs(variables, undefined, '{"a":"x","other":2}'), { a: '{"a":"x","other":2}' });
		assert.deepEqual(toWorkflowInputs(variables, undefined, '[1]'), { a: '[1]' });
	});

	it('use the text as their only required input', () => {
		const variables = [createVariable('n', 'number', false), createVariable('p', 'paragraph'), createVariable('a', 'text-input', false)];
		assert.deepEqual(toWorkflowInputs(variables, undefined, 'words'), { p: 'words' });
		assert.deepEqual(toWorkflowInputs([], undefined, 'words'), {});
	});

	it('list their inputs if it could be several', () => {
		const refusal = { status: 400, message: /Variables: a \(text-input, required\), p \(paragraph, required\)\.$/ };
		assert.throws(() => toWorkflowInputs([createVariable('a'), createVariable('p', 'paragraph')], undefined, 'words'), refusal);
		assert.throws(() => toWorkflowInputs([createVariable('f', 'file')], undefined, 'words'), { status: 400 });
	});

	it("don't return a partial answer as complete if the run was stopped", async () => {
		const data = { status: 'stopped', error: null, outputs: null };
		const run = { id: 'r', done: Promise.resolve({ data, variables: {} }) };
		const reply = Promise.resolve({ answer: 'Half of', metadata: {}, data });
		const prepared = { id: 'r', runId: 'r', start: async () => ({ ...run, run, reply }), [Symbol.dispose]() {} };
		const stopped = { status: 500, message: /agent's run r was stopped/, details: { headers: { 'x-should-retry': 'false' } } };
		const reported: string[] = [];
		const agent = { mode: 'workflow', features: {}, graph: { nodes: [] } };
		await assert.rejects(
			createChatRun(prepared as never, {} as never).start(text => reported.push(text)),
			stopped,
		);
		await assert.rejects(
			createWorkflowRun(prepared as never, {} as never, agent as never).start(text => reported.push(text)),
			stopped,
		);
	});

	it('store the text of a slow reader in a few long strings, in order, and end after it', async () => {
		const pieces = Array.from({ length: 100_000 }, (_, i) => `${i} `);
		const work = {
			async start(tell: (text: string) => void) {
				for (const piece of pieces) {
					tell(piece);
				}
				return { text: '', metadata: {} };
			},
			stop() {},
			[Symbol.dispose]() {},
		};
		const stream = new AgentReply('agent/a', work, new AbortController().signal, undefined).streamParts();
		await new Promise(resolve => setImmediate(resolve));
		const parts: LanguageModelV4StreamPart[] = [];
		for await (const part of stream) {
			parts.push(part);
		}
		assert.ok(parts.length < 200, `${parts.length} parts`);
		assert.equal(parts.map(part => (part.type === 'text-delta' ? part.delta : '')).join(''), pieces.join(''));
		assert.deepEqual([parts[0]?.type, parts.at(-1)?.type], ['response-metadata', 'finish']);
	});
});
