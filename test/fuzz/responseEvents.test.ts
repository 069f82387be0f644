import assert from 'node:assert/strict';
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import fc from 'fast-check';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ResponseObject, ResponsesRequest } from '#contract/openai/responses.ts';
import { createResponseHead } from '#models/translate/responses/responseHead.ts';
import { ResponseMaker } from '#models/translate/responses/responseMaker.ts';
import { ResponsesReplyWriter } from '#models/translate/responses/responsesReplyWriter.ts';
import { ResponseTools } from '#models/translate/responses/responseTools.ts';
import { readResponseStream } from '../support/responseReader.ts';
import { fuzzRuns } from './fuzzRuns.ts';

const id = fc.constantFrom('0', '1', 'call_1', 'call_2', 'call_3');
const text = fc.string({ unit: 'binary', maxLength: 12 });
const metadata = fc.constantFrom(
	undefined,
	{ anthropic: { signature: 'sig' } },
	{ anthropic: { redactedData: 'secret' } },
	{ google: { thoughtSignature: 'g' } },
	{ openaiCompatible: { thoughtSignature: 'o' } },
	{ google: { other: 1 } },
);
const toolName = fc.constantFrom('plain', 'patch', 'box__inner', 'unknown');
const json = fc.oneof(
	fc.json({ maxDepth: 2 }),
	text.map(input => JSON.stringify({ input })),
	text,
);
const usage = {
	inputTokens: { total: 3, noCache: 1, cacheRead: 2, cacheWrite: 0 },
	outputTokens: { total: 4, text: 1, reasoning: 3 },
};
const createSignedPart = <T extends object>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
	fc
		.record<T & { providerMetadata: unknown }>({ ...shape, providerMetadata: metadata } as never)
		.map(({ providerMetadata, ...rest }) =>
			providerMetadata ? { ...rest, providerMetadata } : rest,
		) as unknown as fc.Arbitrary<LanguageModelV4StreamPart>;

/** Parts in any order, which no provider should send. */
const part: fc.Arbitrary<LanguageModelV4StreamPart> = fc.oneof(
	createSignedPart({ type: fc.constantFrom('text-start', 'text-end'), id }),
	createSignedPart({ type: fc.constant('text-delta'), id, delta: text }),
	createSignedPart({ type: fc.constantFrom('reasoning-start', 'reasoning-end'), id }),
	createSignedPart({ type: fc.constant('reasoning-delta'), id, delta: text }),
	createSignedPart({ type: fc.constant('tool-input-start'), id, toolName }),
	createSignedPart({ type: fc.constant('tool-input-delta'), id, delta: text }),
	createSignedPart({ type: fc.constant('tool-input-end'), id }),
	createSignedPart({ type: fc.constant('tool-call'), toolCallId: id, toolName, input: json }),
	fc.constant({ type: 'response-metadata', modelId: 'named' } as const),
	fc.constant({ type: 'source', sourceType: 'url', id: 's', url: 'http://x' } as const),
);
const ending = fc.oneof(
	fc.constantFrom('stop', 'length', 'content-filter', 'tool-calls', 'error', 'other').map(unified => ({ unified, raw: 'raw' })),
	fc.constant('fault' as const),
);
const request: ResponsesRequest = {
	model: 'm',
	input: 'x',
	tools: [
		{ type: 'function', name: 'plain' },
		{ type: 'custom', name: 'patch' },
		{ type: 'namespace', name: 'box', tools: [{ type: 'function', name: 'inner' }] },
	],
};

describe('events of a response, fuzzed', () => {
	it('have the order of the protocol whatever the model does, and add up to the last response', () => {
		fc.assert(
			fc.property(fc.array(part, { maxLength: 30 }), ending, fc.boolean(), (parts, ended, showsEncrypted) => {
				const tools = new ResponseTools(request, []);
				let kept: ResponseObject | undefined;
				const maker = new ResponseMaker(createResponseHead(request, 'm', tools.kept, 1_000), {
					tools,
					showsEncrypted,
					now: () => 2_000,
					onEnded: response => {
						assert.equal(kept, undefined);
						kept = structuredClone(response);
					},
				});
				const writer = new ResponsesReplyWriter(maker);
				let stream = parts.map(each => writer.writePart(each)).join('');
				if (ended === 'fault') {
					assert.equal(writer.writeEnd(), undefined);
					stream += writer.writeFault(new ServiceFault(502, 'gone'));
				} else {
					stream += writer.writePart({ type: 'finish', finishReason: ended as never, usage }) + (writer.writeEnd() ?? '');
				}
				assert.equal(parts.map(each => writer.writePart(each)).join(''), '', 'nothing comes after the end');
				assert.equal(writer.writeFault(new ServiceFault(502, 'late')), writer.writeEnd());
				const final = readResponseStream(stream);
				assert.deepEqual(final, JSON.parse(JSON.stringify(maker.response)));
				// the stored response differs only in parts that the caller doesn't get
				const shown = structuredClone(kept);
				for (const item of shown?.output ?? []) {
					if (item.type === 'reasoning' && !showsEncrypted) {
						delete item.encrypted_content;
					}
				}
				assert.deepEqual(JSON.parse(JSON.stringify(shown)), final);
				const written = parts.flatMap(each => (each.type === 'text-delta' ? [each.delta] : [])).join('');
				const read = final.output.flatMap(item => (item.type === 'message' ? item.content.map(content => content.text) : [])).join('');
				assert.equal([...read].sort().join(''), [...JSON.parse(JSON.stringify(written))].sort().join(''), 'no text is lost');
			}),
			{ numRuns: fuzzRuns },
		);
	});
});
