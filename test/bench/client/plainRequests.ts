import { measureCpuMs, runContest } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { messageBody } from './messageBody.ts';
import { Bare, contentBody, createAnthropicSdk, createGoogleSdk, createShippedClient, getBaseUrl } from './subjects.ts';

const inFlight = 64;
const requests = 1_500;

/** Sends small JSON requests, 64 concurrently, and parses the responses. The floor is `undici.request` and `JSON.parse`. */
export const plainRequests: Measure = {
	name: 'plain-requests',
	measure: `plain requests at ${inFlight} in flight: requests per second of processor time, over undici.request and over each SDK`,
	unit: '×',
	costUnit: 'requests/s',
	limits: { 'undici.request': { least: 1 }, '@anthropic-ai/sdk': { least: 5 }, '@google/genai': { least: 5 } },
	async run(inRounds) {
		const base = await getBaseUrl('plain');
		const client = createShippedClient(base);
		const bare = new Bare();
		const anthropic = createAnthropicSdk(base);
		const google = createGoogleSdk(base);
		const url = `${base}/v1/messages`;
		return inRounds({ warmUp: 2, rounds: 9 }, async () => {
			const costs = await runContest({
				client: () => measureRequestRate(() => client.createMessage(messageBody)),
				undici: () => measureRequestRate(async () => JSON.parse(await bare.readText(url, messageBody))),
				anthropic: () => measureRequestRate(() => anthropic.messages.create(messageBody)),
				google: () => measureRequestRate(() => google.models.generateContent({ model: 'm', ...contentBody })),
			});
			const values = {
				'undici.request': costs.client / costs.undici,
				'@anthropic-ai/sdk': costs.client / costs.anthropic,
				'@google/genai': costs.client / costs.google,
			};
			return { values, costs };
		});
	},
};

/** Returns requests per second of processor time, which doesn't depend on other work on the machine. */
async function measureRequestRate(request: () => Promise<unknown>): Promise<number> {
	let left = requests;
	const sendRequests = async () => {
		while (left-- > 0) {
			await request();
		}
	};
	return (requests / (await measureCpuMs(() => Promise.all(Array.from({ length: inFlight }, sendRequests))))) * 1000;
}
