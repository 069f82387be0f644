import assert from 'node:assert/strict';
import { loadClient } from './support/install.ts';
import { useSession } from './support/session.ts';

interface OpenAiModule {
	OpenAI: new (options: {
		apiKey: string;
		baseURL: string;
		maxRetries: number;
	}) => {
		chat: { completions: { create(body: object): Promise<unknown> } };
		responses: { create(body: object): Promise<unknown> };
	};
}

describe('openai', () => {
	const session = useSession('gpt', 2);

	it('is told what to use instead', async () => {
		const { OpenAI } = await loadClient<OpenAiModule>('openai');
		const { gateway } = session();
		const client = new OpenAI({ apiKey: gateway.apiKey, baseURL: `${gateway.baseUrl}/v1`, maxRetries: 0 });
		const words = /404.*POST \/v1\/messages/;
		await assert.rejects(client.chat.completions.create({ model: 'gpt', messages: [{ role: 'user', content: 'x' }] }), words);
		await assert.rejects(client.responses.create({ model: 'gpt', input: 'x' }), words);
	});
});
