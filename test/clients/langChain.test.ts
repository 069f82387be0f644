import assert from 'node:assert/strict';
import { protocols } from './support/fakeServices.ts';
import { loadClient } from './support/install.ts';
import { useSession } from './support/session.ts';

interface Message {
	readonly text: string;
	readonly tool_calls?: { name: string; args: object }[];
	readonly usage_metadata?: { input_tokens: number };
}

interface Model {
	invoke(prompt: string): Promise<Message>;
	stream(prompt: string): Promise<AsyncIterable<Message>>;
	bindTools(tools: object[]): Model;
}

describe('LangChain', () => {
	const session = useSession('model');

	const createModels = async (model: string): Promise<Model[]> => {
		const { gateway } = session();
		const { ChatAnthropic } = await loadClient<{ ChatAnthropic: new (options: object) => Model }>('@langchain/anthropic');
		const { ChatGoogleGenerativeAI } = await loadClient<{ ChatGoogleGenerativeAI: new (options: object) => Model }>(
			'@langchain/google-genai',
		);
		const { ChatOpenAI } = await loadClient<{ ChatOpenAI: new (options: object) => Model }>('@langchain/openai');
		return [
			new ChatOpenAI({ model, apiKey: gateway.apiKey, configuration: { baseURL: `${gateway.baseUrl}/v1` }, maxRetries: 0 }),
			new ChatAnthropic({ model, apiKey: gateway.apiKey, anthropicApiUrl: gateway.baseUrl, maxRetries: 0, maxTokens: 99 }),
			new ChatGoogleGenerativeAI({ model, apiKey: gateway.apiKey, baseUrl: gateway.baseUrl, maxRetries: 0 }),
		];
	};
	const weather = { name: 'weather', description: 'Weather', schema: { type: 'object', properties: { place: { type: 'string' } } } };

	for (const protocol of protocols) {
		it(`calls tools, streams and counts tokens through ${protocol}`, async () => {
			const { services } = session();
			for (const model of await createModels(`model-via-${protocol}`)) {
				services.say = () => ({ tool: 'weather', input: { place: 'Oslo' } });
				const called = await model.bindTools([weather]).invoke('Weather?');
				assert.deepEqual(
					called.tool_calls?.map(({ name, args }) => [name, args]),
					[['weather', { place: 'Oslo' }]],
				);
				services.say = () => ({ text: 'Cold.' });
				assert.equal((await model.invoke('Weather?')).text, 'Cold.');
				let text = '';
				let input = 0;
				for await (const chunk of await model.stream('Weather?')) {
					text += chunk.text;
					input += chunk.usage_metadata?.input_tokens ?? 0;
				}
				assert.equal(text, 'Cold.');
				assert.ok(input > 0, 'has input tokens');
			}
		});
	}

	it('embeds texts', async () => {
		const { gateway } = session();
		const { OpenAIEmbeddings } = await loadClient<{
			OpenAIEmbeddings: new (options: object) => { embedDocuments(texts: string[]): Promise<number[][]> };
		}>('@langchain/openai');
		const options = { model: 'offline', apiKey: gateway.apiKey, configuration: { baseURL: `${gateway.baseUrl}/v1` }, maxRetries: 0 };
		const vectors = await new OpenAIEmbeddings(options).embedDocuments(['one text', 'another']);
		assert.deepEqual(
			vectors.map(({ length }) => length),
			[256, 256],
		);
	});
});
