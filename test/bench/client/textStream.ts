import { streamText } from 'ai';
import { contest, cpuMs } from '../harness/contest.ts';
import { leastMargin, type Measure } from '../harness/table.ts';
import { messageBody } from './messageBody.ts';
import { aiSdkModel, anthropicSdk, Bare, baseUrl, contentBody, googleSdk, shippedClient } from './subjects.ts';

const events = 50_000;
// a model that it does not know is all that it would warn of
globalThis.AI_SDK_LOG_WARNINGS = false;

/** 50,000 small events of C1, over the bare chain. */
export const textStream: Measure = {
	name: 'text-stream',
	measure: `text stream, ${events} small events: processor time per event over bare undici + eventsource-parser + JSON.parse, at most`,
	unit: '× the bare chain',
	limit: 1.15,
	async run() {
		const base = await baseUrl('text');
		const client = shippedClient(base);
		const bare = new Bare();
		const url = `${base}/v1/messages`;
		const costs = await contest(
			{
				client: () => cpuMs(() => expectEvents(client.streamMessage(messageBody), events)),
				chain: () => cpuMs(() => bare.events(url, messageBody, () => {})),
				lines: () => cpuMs(() => bare.lines(url, messageBody)),
			},
			{ warmUp: 3, rounds: 11 },
		);
		const value = costs.client / costs.chain;
		return {
			value,
			ok: value <= 1.15,
			notes: [
				`client ${perEvent(costs.client)}, bare chain ${perEvent(costs.chain)}, lines alone ${perEvent(costs.lines)} (client ${(costs.client / costs.lines).toFixed(2)} × that floor)`,
			],
		};
	},
};

/** The same stream against the SDKs that people use; E2 where the SDK speaks that. */
export const textPeers: Measure = {
	name: 'text-peers',
	measure:
		'text stream against peers, least of achieved ÷ required: 10 × @google/genai, 3 × @anthropic-ai/sdk messages.stream, 1.7 × its raw stream, 20 × ai streamText',
	unit: '× of what is required',
	limit: 1,
	async run() {
		const base = await baseUrl('text');
		const client = shippedClient(base);
		const anthropic = anthropicSdk(base);
		const google = googleSdk(base);
		const model = aiSdkModel(base);
		const costs = await contest(
			{
				messages: () => cpuMs(() => expectEvents(client.streamMessage(messageBody), events)),
				content: () => cpuMs(() => expectEvents(client.streamGenerateContent('m', contentBody), events)),
				anthropicStream: () => cpuMs(() => expectEvents(anthropic.messages.stream(messageBody), events)),
				anthropicRaw: () => cpuMs(async () => expectEvents(await anthropic.messages.create({ ...messageBody, stream: true }), events)),
				google: () => cpuMs(async () => expectEvents(await google.models.generateContentStream({ model: 'm', ...contentBody }), events)),
				ai: () =>
					cpuMs(() =>
						expectEvents(streamText({ model, prompt: 'How did the run end?', maxRetries: 0, maxOutputTokens: 64 }).textStream, events),
					),
			},
			{ warmUp: 2, rounds: 5 },
		);
		const finding = leastMargin({
			'@google/genai': { achieved: costs.google / costs.content, required: 10 },
			'@anthropic-ai/sdk messages.stream': { achieved: costs.anthropicStream / costs.messages, required: 3 },
			'@anthropic-ai/sdk raw': { achieved: costs.anthropicRaw / costs.messages, required: 1.7 },
			'ai streamText': { achieved: costs.ai / costs.messages, required: 20 },
		});
		return {
			...finding,
			notes: [
				...finding.notes!,
				Object.entries(costs)
					.map(([name, ms]) => `${name} ${perEvent(ms)}`)
					.join(', '),
			],
		};
	},
};

/** A figure of a stream that was not read whole would be worth nothing. */
async function expectEvents(stream: AsyncIterable<unknown>, least: number): Promise<void> {
	let count = 0;
	for await (const _event of stream) {
		count++;
	}
	if (count < least) {
		throw new Error(`${count} events came instead of ${least}`);
	}
}

function perEvent(ms: number): string {
	return `${((ms * 1000) / events).toFixed(2)} µs`;
}
