import assert from 'node:assert/strict';
import type { LanguageModel } from 'ai';
import { type FakeServices, protocols } from './support/fakeServices.ts';
import { loadClient } from './support/install.ts';
import { useSession } from './support/session.ts';

describe('AI SDK', () => {
	const session = useSession('model');

	const createLanguageModels = async (name: string) => {
		const { gateway } = session();
		const { createAnthropic } = await loadClient<typeof import('@ai-sdk/anthropic')>('@ai-sdk/anthropic');
		const { createGoogle } = await loadClient<typeof import('@ai-sdk/google')>('@ai-sdk/google');
		const { createOpenAI } = await loadClient<{ createOpenAI: (options: object) => { chat(name: string): LanguageModel } }>(
			'@ai-sdk/openai',
		);
		return [
			createOpenAI({ baseURL: `${gateway.baseUrl}/v1`, apiKey: gateway.apiKey }).chat(name),
			createAnthropic({ baseURL: `${gateway.baseUrl}/v1`, apiKey: gateway.apiKey })(name),
			createGoogle({ baseURL: `${gateway.baseUrl}/v1beta`, apiKey: gateway.apiKey })(name),
		];
	};
	const fakeWeatherCall = (services: FakeServices) => {
		services.say = ({ answersTool, tools }) =>
			tools.includes('weather') && !answersTool ? { tool: 'weather', input: { place: 'Oslo' } } : { text: 'Cold.' };
	};

	for (const protocol of protocols) {
		it(`calls a tool and streams through ${protocol}`, async () => {
			const { generateText, streamText, tool, jsonSchema, isStepCount } = await loadClient<typeof import('ai')>('ai');
			const { services } = session();
			fakeWeatherCall(services);
			const weather = tool({
				inputSchema: jsonSchema<{ place: string }>({ type: 'object', properties: { place: { type: 'string' } }, required: ['place'] }),
				execute: async ({ place }) => `3 degrees in ${place}`,
			});
			for (const [i, model] of (await createLanguageModels(`model-via-${protocol}`)).entries()) {
				// the first request is passed through if the service speaks its protocol, so its stream isn't repaired
				services.endsStreams = i === 0;
				const options = { model, prompt: 'Weather?', tools: { weather }, stopWhen: isStepCount(3), maxOutputTokens: 99, maxRetries: 0 };
				const whole = await generateText(options);
				assert.equal(whole.text, 'Cold.');
				assert.equal(whole.steps.length, 2);
				assert.match(JSON.stringify(services.asked.at(-1)?.body), /3 degrees in Oslo/);
				let text = '';
				for await (const piece of streamText(options).textStream) {
					text += piece;
				}
				assert.equal(text, 'Cold.');
			}
		});
	}
});
