import assert from 'node:assert/strict';
import type * as z from 'zod';
import { chatCompletionRequestSchema } from '#contract/openai/chatCompletions.ts';
import { embeddingsRequestSchema } from '#contract/openai/embeddings.ts';
import { createSchemaProblem, describeIssue } from '#contract/problems.ts';
import { completionsRequestSchema } from '#contract/text/completions.ts';
import { generateContentRequestSchema } from '#contract/text/content.ts';
import { messagesRequestSchema } from '#contract/text/messages.ts';
import { workflowRunRequestSchema } from '#contract/workflows.ts';

function getProblem(schema: z.ZodType, value: unknown): string {
	const result = schema.safeParse(value, { error: describeIssue });
	assert.ok(!result.success, JSON.stringify(value));
	const { field, message } = createSchemaProblem(result.error, value);
	return `${field}: ${message}`;
}

describe('the message for an invalid request', () => {
	const message = { role: 'user', content: 'x' };
	const run = { model: 'm', inputs: {}, user: 'u', response_mode: 'blocking' };

	it('names the field and the expected value', () => {
		assert.equal(getProblem(messagesRequestSchema, { model: 'm', messages: 7 }), 'messages: expected a list, got a number');
		assert.equal(getProblem(messagesRequestSchema, { model: '', messages: [message] }), 'model: expected a non-empty string');
		assert.equal(getProblem(workflowRunRequestSchema, { ...run, response_mode: 'fast' }), 'response_mode: expected streaming or blocking');
		assert.equal(getProblem(workflowRunRequestSchema, { ...run, inputs: [] }), 'inputs: expected an object, got a list');
	});

	it('lists the allowed types of a union, or the problem of the closest one', () => {
		const checkContent = (value: unknown) =>
			getProblem(messagesRequestSchema, { model: 'm', messages: [{ role: 'user', content: value }] });
		assert.equal(checkContent(5), 'messages.0.content: expected a string or a list');
		assert.equal(checkContent([{ type: 5 }]), 'messages.0.content.0.type: expected a string, got a number');
		assert.equal(
			getProblem(generateContentRequestSchema, { contents: [{ parts: [{ text: 1 }] }] }),
			'contents.0.parts.0.text: expected a string, got a number',
		);
	});

	it('names only the limit for a value of the right type that is too long or empty', () => {
		const chat = { model: 'm', messages: [message] };
		assert.equal(getProblem(chatCompletionRequestSchema, { ...chat, stop: Array(5).fill('a') }), 'stop: expected at most 4 strings');
		const checkEmbedding = (input: unknown) => getProblem(embeddingsRequestSchema, { model: 'm', input });
		assert.equal(checkEmbedding(Array(2049).fill('a')), 'input: expected at most 2048 strings');
		assert.equal(checkEmbedding(''), 'input: expected a non-empty string');
		assert.equal(checkEmbedding([]), 'input: expected at least 1');
		assert.equal(checkEmbedding(['a', 5]), 'input.1: expected a string, got a number');
	});

	it('names the limit of a whole number', () => {
		assert.equal(
			getProblem(completionsRequestSchema, { model: 'm', prompt: 'x', max_tokens_to_sample: 2 ** 53 }),
			'max_tokens_to_sample: expected a whole number up to 9007199254740991',
		);
	});

	it('reports an invalid URL of a file', () => {
		for (const url of ['not a url', 'file:///etc/passwd', 'http://', '']) {
			const files = [{ type: 'image', transfer_method: 'remote_url', url }];
			assert.match(getProblem(workflowRunRequestSchema, { ...run, files }), /^files\.0\.url: expected (an http:|a non-empty)/, url);
		}
		const files = [{ type: 'image', transfer_method: 'by_mail' }];
		assert.equal(getProblem(workflowRunRequestSchema, { ...run, files }), 'files.0.transfer_method: expected remote_url or local_file');
	});

	it("doesn't exist for tools of any form", () => {
		assert.ok(messagesRequestSchema.safeParse({ model: 'm', messages: [message], tools: [{}, { type: 'x' }] }).success);
	});
});
