import assert from 'node:assert/strict';
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { createProviderModel } from '#models/providers/openaiCompatible.ts';
import { findTooLargeError, TooLargeError } from '#network/replyLimits.ts';

const createEvent = (delta: object, reason: string | null = null) =>
	`data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
const end = `${createEvent({}, 'tool_calls')}data: [DONE]\n\n`;

/** Returns the parts of a model whose service sends this stream, up to their error. */
async function collectParts(body: string): Promise<{ readonly parts: LanguageModelV4StreamPart[]; readonly failure?: unknown }> {
	const fetchStream = async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });
	const model = createProviderModel({ model: 'm', base: 'http://service.example/v1', bearer: false, fetch: fetchStream, onLost: () => {} });
	const { stream } = await model.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] });
	const parts: LanguageModelV4StreamPart[] = [];
	try {
		for await (const part of stream) {
			if (part.type === 'error') {
				return { parts, failure: part.error };
			}
			parts.push(part);
		}
		return { parts };
	} catch (failure) {
		return { parts, failure };
	}
}

describe("tool calls of a service with OpenAI's protocol", () => {
	const createCalls = (from: number, count: number) =>
		Array.from({ length: count }, (_, i) => ({ index: from + i, id: `c${from + i}`, function: { name: 'tool', arguments: '{' } }));

	it('are read, including objects in their arguments and long streams', async () => {
		const values = JSON.stringify(Array.from({ length: 10_000 }, () => ({ '"': '\\' })));
		const pieces = createEvent({ content: 'x' }).repeat(3_000);
		const whole = createEvent({ tool_calls: [{ index: 0, id: 'c', function: { name: 'tool', arguments: values } }] });
		const { parts, failure } = await collectParts(pieces + whole + end);
		assert.equal(failure, undefined);
		assert.equal(parts.find(part => part.type === 'tool-call')?.input, values);
		assert.equal((await collectParts(pieces.replaceAll('\n', '\r') + end)).failure, undefined);
	});

	it('are refused if there are too many in one event, or in total', async () => {
		const began = process.cpuUsage();
		for (const body of [
			createEvent({
				tool_calls: [...createCalls(0, 8_000), ...createCalls(0, 8_000).map(({ index }) => ({ index, function: { arguments: '1' } }))],
			}),
			Array.from({ length: 100 }, (_, i) => createEvent({ tool_calls: createCalls(i * 100, 100) })).join(''),
		]) {
			const { failure } = await collectParts(body + end);
			assert.ok(findTooLargeError(failure) instanceof TooLargeError, String(failure));
		}
		assert.ok(process.cpuUsage(began).user < 1_500_000);
	});
});
