import { contest, wallMs } from '../harness/contest.ts';
import { leastMargin, type Measure } from '../harness/table.ts';
import { messageBody } from './messageBody.ts';
import { anthropicSdk, Bare, baseUrl, contentBody, googleSdk, shippedClient } from './subjects.ts';

const inFlight = 64;
const requests = 1_500;

/** Small JSON requests, 64 at a time. */
export const plainRequests: Measure = {
	name: 'plain-requests',
	measure: `plain requests at ${inFlight} in flight, least of achieved ÷ required: 0.75 × undici.request, 4 × each SDK`,
	unit: '× of what is required',
	limit: 1,
	async run() {
		const base = await baseUrl('plain');
		const client = shippedClient(base);
		const bare = new Bare();
		const anthropic = anthropicSdk(base);
		const google = googleSdk(base);
		const url = `${base}/v1/messages`;
		const costs = await contest(
			{
				client: () => burst(() => client.createMessage(messageBody)),
				undici: () => burst(async () => JSON.parse(await bare.text(url, messageBody))),
				anthropic: () => burst(() => anthropic.messages.create(messageBody)),
				google: () => burst(() => google.models.generateContent({ model: 'm', ...contentBody })),
			},
			{ warmUp: 2, rounds: 9 },
		);
		const finding = leastMargin({
			'undici.request': { achieved: costs.undici / costs.client, required: 0.75 },
			'@anthropic-ai/sdk': { achieved: costs.anthropic / costs.client, required: 4 },
			'@google/genai': { achieved: costs.google / costs.client, required: 4 },
		});
		const rate = (ms: number) => `${Math.round((requests / ms) * 1000)}/s`;
		return {
			...finding,
			notes: [
				...finding.notes!,
				`client ${rate(costs.client)}, undici ${rate(costs.undici)}, @anthropic-ai/sdk ${rate(costs.anthropic)}, @google/genai ${rate(costs.google)}`,
			],
		};
	},
};

/** Milliseconds for all requests. */
function burst(request: () => Promise<unknown>): Promise<number> {
	let left = requests;
	const worker = async () => {
		while (left-- > 0) {
			await request();
		}
	};
	return wallMs(() => Promise.all(Array.from({ length: inFlight }, worker)));
}
