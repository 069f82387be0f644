import { streamText } from 'ai';
import { measureCpuMs, runContest } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { messageBody } from './messageBody.ts';
import { Bare, contentBody, createAiSdkModel, createAnthropicSdk, createGoogleSdk, createShippedClient, getBaseUrl } from './subjects.ts';

const events = 50_000;
// the only possible warning is about an unknown model
globalThis.AI_SDK_LOG_WARNINGS = false;

/**
 * Streams 50,000 small Messages events. The floor is the least code that returns events as objects: bare undici, eventsource-parser and
 * `JSON.parse`.
 */
export const textStream: Measure = {
	name: 'text-stream',
	measure: `text stream, ${events} small events: processor time per event over bare undici + eventsource-parser + JSON.parse`,
	unit: '×',
	costUnit: 'µs per event',
	limits: { 'bare chain': { most: 1.1 } },
	async run(inRounds) {
		const base = await getBaseUrl('text');
		const client = createShippedClient(base);
		const bare = new Bare();
		const url = `${base}/v1/messages`;
		return inRounds({ warmUp: 3, rounds: 11 }, async () => {
			const costs = await runContest({
				client: measureCostPerEvent(() => expectEventCount(client.streamMessage(messageBody), events)),
				chain: measureCostPerEvent(() => bare.readEvents(url, messageBody, () => {})),
				lines: measureCostPerEvent(() => bare.countLines(url, messageBody)),
			});
			return { values: { 'bare chain': costs.client / costs.chain }, costs };
		});
	},
};

/** Compares the same stream with popular SDKs. SDKs for Gemini get a Generate Content stream instead. */
export const textPeers: Measure = {
	name: 'text-peers',
	measure: "text stream of peers: their processor time over the client's",
	unit: '×',
	costUnit: 'µs per event',
	limits: {
		'@google/genai': { least: 10 },
		'@anthropic-ai/sdk messages.stream': { least: 3 },
		'@anthropic-ai/sdk raw': { least: 1.7 },
		'ai streamText': { least: 20 },
	},
	async run(inRounds) {
		const base = await getBaseUrl('text');
		const client = createShippedClient(base);
		const anthropic = createAnthropicSdk(base);
		const google = createGoogleSdk(base);
		const model = createAiSdkModel(base);
		const ask = { model, prompt: 'How did the run end?', maxRetries: 0, maxOutputTokens: 64 };
		return inRounds({ warmUp: 1, rounds: 5 }, async () => {
			const costs = await runContest({
				messages: measureCostPerEvent(() => expectEventCount(client.streamMessage(messageBody), events)),
				content: measureCostPerEvent(() => expectEventCount(client.streamGenerateContent('m', contentBody), events)),
				anthropicStream: measureCostPerEvent(() => expectEventCount(anthropic.messages.stream(messageBody), events)),
				anthropicRaw: measureCostPerEvent(async () =>
					expectEventCount(await anthropic.messages.create({ ...messageBody, stream: true }), events),
				),
				google: measureCostPerEvent(async () =>
					expectEventCount(await google.models.generateContentStream({ model: 'm', ...contentBody }), events),
				),
				ai: measureCostPerEvent(() => expectEventCount(streamText(ask).textStream, events)),
			});
			const values = {
				'@google/genai': costs.google / costs.content,
				'@anthropic-ai/sdk messages.stream': costs.anthropicStream / costs.messages,
				'@anthropic-ai/sdk raw': costs.anthropicRaw / costs.messages,
				'ai streamText': costs.ai / costs.messages,
			};
			return { values, costs };
		});
	},
};

/** Fails if a stream wasn't read completely, because its time would mean nothing. */
async function expectEventCount(stream: AsyncIterable<unknown>, least: number): Promise<void> {
	let count = 0;
	for await (const _event of stream) {
		count++;
	}
	if (count < least) {
		throw new Error(`received ${count} events instead of ${least}`);
	}
}

/** Returns microseconds of processor time per event. */
function measureCostPerEvent(step: () => Promise<unknown>): () => Promise<number> {
	return async () => ((await measureCpuMs(step)) * 1000) / events;
}
