import { median, shuffled } from '../harness/contest.ts';
import { leastMargin, type Measure } from '../harness/table.ts';
import { messageBody } from './messageBody.ts';
import { anthropicSdk, Bare, baseUrl, contentBody, googleSdk, shippedClient } from './subjects.ts';

const warmUp = 1_000;
const rounds = 500;

/** From the call to the first event, on a connection that stands. */
export const firstEvent: Measure = {
	name: 'first-event',
	measure: 'first event on a warm connection, p50, least of achieved ÷ required: 1.25 × undici.request, half of each SDK',
	unit: '× of what is required',
	limit: 1,
	async run() {
		const base = await baseUrl('first');
		const client = shippedClient(base);
		const bare = new Bare();
		const anthropic = anthropicSdk(base);
		const google = googleSdk(base);
		const contenders: Record<string, (onFirst: () => void) => Promise<void>> = {
			client: onFirst => read(client.streamMessage(messageBody), onFirst),
			undici: onFirst => bare.first(`${base}/v1/messages`, messageBody, onFirst),
			anthropicStream: onFirst => read(anthropic.messages.stream(messageBody), onFirst),
			anthropicRaw: async onFirst => read(await anthropic.messages.create({ ...messageBody, stream: true }), onFirst),
			google: async onFirst => read(await google.models.generateContentStream({ model: 'm', ...contentBody }), onFirst),
		};
		const names = Object.keys(contenders);
		const times: Record<string, number[]> = Object.fromEntries(names.map(name => [name, []]));
		for (let round = 0; round < warmUp + rounds; round++) {
			for (const name of shuffled(names)) {
				const started = performance.now();
				let took = Number.NaN;
				await contenders[name]!(() => {
					took = performance.now() - started;
				});
				if (round >= warmUp) {
					times[name]!.push(took);
				}
			}
		}
		const p50 = (name: string) => median(times[name]!);
		const finding = leastMargin({
			'undici.request ÷ client': { achieved: p50('undici') / p50('client'), required: 1 / 1.25 },
			'@anthropic-ai/sdk messages.stream ÷ client': { achieved: p50('anthropicStream') / p50('client'), required: 2 },
			'@anthropic-ai/sdk raw ÷ client': { achieved: p50('anthropicRaw') / p50('client'), required: 2 },
			'@google/genai ÷ client': { achieved: p50('google') / p50('client'), required: 2 },
		});
		return { ...finding, notes: [...finding.notes!, names.map(name => `${name} ${p50(name).toFixed(3)} ms`).join(', ')] };
	},
};

async function read(stream: AsyncIterable<unknown>, onFirst: () => void): Promise<void> {
	let seen = false;
	for await (const _event of stream) {
		if (!seen) {
			seen = true;
			onFirst();
		}
	}
}
