import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { type ResponseInputItem, responsesRequestSchema } from '#contract/openai/responses.ts';
import { readResponsesRequest } from '#gateway/routes/openai/responsesRequest.ts';
import { openEnvelope } from '#models/translate/responses/reasoningEnvelope.ts';
import { createResponsesCall } from '#models/translate/responses/responsesCall.ts';
import { fuzzRuns } from './fuzzRuns.ts';

const id = fc.constantFrom('1', '2', '3');
const name = fc.constantFrom('f', 'g', 'patch', 'box__f');
const anything = fc.jsonValue({ maxDepth: 2 });
const mixWithAnyValue = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
	fc.oneof({ weight: 60, arbitrary }, { weight: 1, arbitrary: anything });
const part = fc.record(
	{
		type: fc.constantFrom('input_text', 'output_text', 'refusal', 'input_image', 'input_file', 'input_audio'),
		text: mixWithAnyValue(fc.string()),
		refusal: mixWithAnyValue(fc.string()),
		image_url: mixWithAnyValue(fc.constantFrom('data:image/png;base64,AA', 'http://x/y', 'ftp://x', 'data:,')),
		file_data: mixWithAnyValue(fc.constantFrom('AA', 'data:text/plain;base64,AA')),
	},
	{ requiredKeys: ['type', 'text', 'refusal', 'image_url'] },
);
const content = mixWithAnyValue(fc.oneof(fc.string(), fc.array(part, { maxLength: 3 })));
const item = fc.oneof(
	fc.record({
		type: fc.constantFrom('message', null, undefined),
		role: mixWithAnyValue(fc.constantFrom('user', 'assistant', 'system', 'developer')),
		content,
	}),
	fc.record({
		type: fc.constant('function_call'),
		call_id: mixWithAnyValue(id),
		name: mixWithAnyValue(name),
		namespace: mixWithAnyValue(fc.constantFrom('box', null)),
		arguments: mixWithAnyValue(fc.oneof(fc.json({ maxDepth: 2 }), fc.string())),
		status: fc.constantFrom('completed', 'incomplete'),
	}),
	fc.record({ type: fc.constant('custom_tool_call'), call_id: id, name, input: mixWithAnyValue(fc.string()) }),
	fc.record({ type: fc.constantFrom('function_call_output', 'custom_tool_call_output'), call_id: mixWithAnyValue(id), output: content }),
	fc.record({
		type: fc.constant('reasoning'),
		summary: mixWithAnyValue(fc.array(fc.record({ type: fc.constant('summary_text'), text: fc.string() }))),
		encrypted_content: mixWithAnyValue(fc.string().map(text => `agent-workbench.${Buffer.from(text).toString('base64url')}`)),
	}),
	mixWithAnyValue(fc.constant({ type: 'web_search_call' })),
);
/** Calls that may be answered later. */
const calls = ['1', '2', '3'].map(call_id => ({ type: 'function_call', call_id, name: 'f', arguments: '{}' }));
const items = fc.array(item, { maxLength: 8 });
const tool = fc.record(
	{
		type: fc.constantFrom('function', 'custom', 'namespace', 'mcp'),
		name: mixWithAnyValue(name),
		parameters: mixWithAnyValue(fc.constant({})),
		tools: fc.array(fc.record({ type: fc.constant('function'), name })),
	},
	{ requiredKeys: ['type', 'name'] },
);
const request = fc.record(
	{
		model: fc.constant('m'),
		input: mixWithAnyValue(
			fc.oneof(
				items,
				items.map(more => [{ role: 'user', content: 'x' }, ...calls, ...more]),
			),
		),
		instructions: mixWithAnyValue(fc.string()),
		tools: mixWithAnyValue(fc.array(tool, { maxLength: 4 })),
		tool_choice: mixWithAnyValue(
			fc.oneof(
				fc.constantFrom('auto', 'none', 'required'),
				fc.record({ type: fc.constantFrom('function', 'allowed_tools', 'mcp'), name, tools: fc.array(fc.record({ name })) }),
			),
		),
		reasoning: mixWithAnyValue(
			fc.record({ effort: mixWithAnyValue(fc.constantFrom('low', null)), summary: fc.constantFrom('auto', null) }),
		),
		text: mixWithAnyValue(
			fc.record({ format: fc.record({ type: fc.constantFrom('text', 'json_schema'), schema: mixWithAnyValue(fc.constant({})) }) }),
		),
		temperature: mixWithAnyValue(fc.double({ min: 0, max: 2, noNaN: true })),
	},
	{ requiredKeys: ['model', 'input'] },
);

describe('requests for responses, fuzzed', () => {
	it('become a call in which every result follows its call, or are refused with a message', () => {
		let taken = 0;
		fc.assert(
			fc.property(request, value => {
				let prompt: ReturnType<typeof createResponsesCall>['call']['prompt'];
				try {
					const read = readResponsesRequest(responsesRequestSchema, Buffer.from(JSON.stringify(value)));
					const items: readonly ResponseInputItem[] = Array.isArray(read.input)
						? read.input
						: [{ role: 'user', content: read.input ?? '' }];
					({ prompt } = createResponsesCall(read, items).call);
				} catch (error) {
					assert.ok(error instanceof ServiceFault, String((error as Error).stack));
					assert.equal(error.status, 400);
					assert.doesNotMatch(error.message, /Invalid input|undefined|\[object/);
					return;
				}
				taken++;
				const called = new Set<string>();
				for (const [i, { role, content: parts }] of prompt.entries()) {
					assert.ok(role !== 'system' || i === 0, 'one system text, in front');
					for (const each of typeof parts === 'string' ? [] : parts) {
						if (each.type === 'tool-call') {
							assert.ok(typeof each.input === 'object' && each.input !== null && !Array.isArray(each.input));
							called.add(each.toolCallId);
						} else if (each.type === 'tool-result') {
							assert.ok(called.has(each.toolCallId));
							assert.equal(prompt[i - 1]?.role, 'assistant', 'results follow the turn that called');
						}
					}
				}
			}),
			{ numRuns: fuzzRuns },
		);
		assert.ok(taken > fuzzRuns / 20, `only ${taken} of ${fuzzRuns} were taken`);
	});

	it('contain envelopes that are decoded or ignored', () => {
		fc.assert(
			fc.property(fc.oneof(fc.json({ maxDepth: 3 }), fc.string()), text => {
				const thought = openEnvelope(`agent-workbench.${Buffer.from(text).toString('base64url')}`);
				assert.ok(thought === undefined || typeof thought.text === 'string');
			}),
			{ numRuns: fuzzRuns },
		);
	});
});
