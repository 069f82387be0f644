import assert from 'node:assert/strict';
import fc from 'fast-check';
import type * as z from 'zod';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { createSchemaProblem, describeIssue } from '#contract/problems.ts';
import { completionsRequestSchema } from '#contract/text/completions.ts';
import { messagesRequestSchema } from '#contract/text/messages.ts';
import { checkMessagesBody, checkMessagesSense } from '#gateway/routes/text/messagesChecks.ts';
import { parseJson } from '#gateway/server/parseJson.ts';
import { createCompletionsCall } from '#models/translate/completions/completionsCall.ts';
import { createContentCall } from '#models/translate/content/contentCall.ts';
import { createMessagesCall } from '#models/translate/messages/messagesCall.ts';
import { servedEndpoints } from '../support/servedEndpoints.ts';
import { fuzzRuns } from './fuzzRuns.ts';

/** Runs `work`, and requires a reason if it fails: it may only refuse the request. */
function expectRefusal(work: () => unknown): void {
	try {
		work();
	} catch (error) {
		assert.ok(error instanceof ServiceFault, String((error as Error).stack));
		assert.ok(error.status >= 400 && error.status < 500);
		assert.doesNotMatch(error.message, /Invalid input|undefined|\[object/);
	}
}

/** Creates objects with some of a schema's fields and any values, which are closer to requests than random JSON. */
function createSimilarObject(fields: readonly string[]): fc.Arbitrary<unknown> {
	return fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...fields), fc.jsonValue()));
}

const message = fc.oneof(
	createSimilarObject(['role', 'content']),
	fc.record({ role: fc.constantFrom('user', 'assistant', 'system', 'x'), content: createSimilarObject(['type', 'text']) }),
);
const messages = fc.record(
	{
		model: fc.constant('m'),
		messages: fc.array(message, { maxLength: 4 }),
		tools: fc.array(createSimilarObject(['type', 'name', 'input_schema', 'description']), { maxLength: 3 }),
		tool_choice: createSimilarObject(['type', 'name']),
		system: createSimilarObject(['type', 'text']),
		stop_sequences: fc.jsonValue(),
		thinking: createSimilarObject(['type', 'budget_tokens']),
		max_tokens: fc.oneof(fc.double(), fc.jsonValue()),
	},
	{ requiredKeys: ['model', 'messages'] },
);
const part = createSimilarObject(['text', 'inline_data', 'inlineData', 'functionCall', 'function_response', 'fileData']);
const content = fc.record(
	{
		contents: fc.oneof(
			createSimilarObject(['role', 'parts']),
			fc.array(fc.record({ role: fc.constantFrom('user', 'model', 'x'), parts: fc.oneof(part, fc.array(part)) })),
		),
		tools: createSimilarObject(['functionDeclarations', 'function_declarations', 'googleSearch']),
		toolConfig: createSimilarObject(['functionCallingConfig']),
		generationConfig: createSimilarObject([
			'temperature',
			'stopSequences',
			'responseSchema',
			'responseMimeType',
			'thinkingConfig',
			'candidateCount',
		]),
		safetySettings: createSimilarObject(['category', 'threshold']),
		system_instruction: createSimilarObject(['parts']),
	},
	{ requiredKeys: ['contents'] },
);

describe('request bodies with any content', () => {
	for (const [name, { body, query }] of Object.entries(servedEndpoints)) {
		for (const schema of [body, query].filter((each): each is z.ZodType => each !== undefined)) {
			it(`pass or are refused with a message: ${name}`, () => {
				const shapes = 'options' in schema ? (schema as z.ZodDiscriminatedUnion).options : [schema];
				const fields = [...new Set(shapes.flatMap(each => Object.keys((each as z.ZodObject).shape)))];
				fc.assert(
					fc.property(createSimilarObject(fields), value => {
						const result = schema.safeParse(value, { error: describeIssue });
						if (!result.success) {
							const { field, message } = createSchemaProblem(result.error, value);
							assert.match(message, /^expected /, `${field} of ${JSON.stringify(value)}`);
						}
					}),
					{ numRuns: fuzzRuns },
				);
			});
		}
	}

	it('become a call or are refused with a message as Messages', () => {
		fc.assert(
			fc.property(fc.oneof(messages, fc.jsonValue()), value => {
				expectRefusal(() => {
					const request = checkMessagesBody(messagesRequestSchema, Buffer.from(JSON.stringify(value)));
					checkMessagesSense(request);
					createMessagesCall(request);
				});
			}),
			{ numRuns: fuzzRuns },
		);
	});

	it('become a call or are refused with a message as Completions', () => {
		const fields = ['model', 'prompt', 'max_tokens_to_sample', 'stop_sequences'];
		fc.assert(
			fc.property(createSimilarObject(fields), fc.string(), (value, text) => {
				const prompt = `${text}\n\nHuman: ${text}\n\nAssistant:`;
				const body = typeof value === 'object' ? { model: 'm', prompt, max_tokens_to_sample: 9, ...value } : value;
				expectRefusal(() => createCompletionsCall(checkMessagesBody(completionsRequestSchema, Buffer.from(JSON.stringify(body)))));
			}),
			{ numRuns: fuzzRuns },
		);
	});

	it('become a call or are refused with a message as Generate Content', () => {
		fc.assert(
			fc.property(fc.oneof(content, fc.jsonValue()), value => expectRefusal(() => createContentCall(value))),
			{ numRuns: fuzzRuns },
		);
	});

	it('are parsed or refused if they are random bytes', () => {
		const invalid = new ServiceFault(400, 'no JSON');
		fc.assert(
			fc.property(fc.uint8Array(), bytes => expectRefusal(() => parseJson(Buffer.from(bytes), invalid))),
			{ numRuns: fuzzRuns },
		);
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 2_000 }), depth => {
				const readRandomBody = () => parseJson(Buffer.from('{"a":['.repeat(depth) + ']}'.repeat(depth)), invalid);
				if (depth <= 250) {
					assert.doesNotThrow(readRandomBody);
				} else {
					assert.throws(readRandomBody, { status: 400 });
				}
			}),
			{ numRuns: 20 },
		);
	});
});
