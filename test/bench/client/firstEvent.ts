import { type Contender, sampleMedians } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { messageBody } from './messageBody.ts';
import { Bare, contentBody, createAnthropicSdk, createGoogleSdk, createShippedClient, getBaseUrl } from './subjects.ts';

/** Number of calls per contender and round. The median counts. */
const samples = 100;

/** Measures the time from the call to the first event, on an open connection. The floor is `undici.request` up to the first bytes. */
export const firstEvent: Measure = {
	name: 'first-event',
	measure: 'first event on a warm connection, p50, over undici.request and over each SDK',
	unit: '×',
	costUnit: 'ms',
	limits: {
		'undici.request': { most: 1.2 },
		'@anthropic-ai/sdk messages.stream': { most: 0.6 },
		'@anthropic-ai/sdk raw': { most: 0.6 },
		'@google/genai': { most: 0.6 },
	},
	async run(inRounds) {
		const base = await getBaseUrl('first');
		const client = createShippedClient(base);
		const bare = new Bare();
		const anthropic = createAnthropicSdk(base);
		const google = createGoogleSdk(base);
		const contenders = {
			client: measureFirstEvent(onFirst => readEvents(client.streamMessage(messageBody), onFirst)),
			undici: measureFirstEvent(onFirst => bare.readFirstBytes(`${base}/v1/messages`, messageBody, onFirst)),
			anthropicStream: measureFirstEvent(onFirst => readEvents(anthropic.messages.stream(messageBody), onFirst)),
			anthropicRaw: measureFirstEvent(async onFirst =>
				readEvents(await anthropic.messages.create({ ...messageBody, stream: true }), onFirst),
			),
			google: measureFirstEvent(async onFirst =>
				readEvents(await google.models.generateContentStream({ model: 'm', ...contentBody }), onFirst),
			),
		};
		return inRounds({ warmUp: 10, rounds: 9 }, async () => {
			const costs = await sampleMedians(contenders, samples);
			const values = {
				'undici.request': costs.client / costs.undici,
				'@anthropic-ai/sdk messages.stream': costs.client / costs.anthropicStream,
				'@anthropic-ai/sdk raw': costs.client / costs.anthropicRaw,
				'@google/genai': costs.client / costs.google,
			};
			return { values, costs };
		});
	},
};

/** Measures the milliseconds to the first event of a stream, and reads the stream to its end. */
function measureFirstEvent(stream: (onFirst: () => void) => Promise<void>): Contender {
	return async () => {
		const started = performance.now();
		let took = Number.NaN;
		await stream(() => {
			took = performance.now() - started;
		});
		return took;
	};
}

async function readEvents(stream: AsyncIterable<unknown>, onFirst: () => void): Promise<void> {
	let seen = false;
	for await (const _event of stream) {
		if (!seen) {
			seen = true;
			onFirst();
		}
	}
}
