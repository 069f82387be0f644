import assert from 'node:assert/strict';
import type OpenAI from 'openai';
import { protocols } from './support/fakeServices.ts';
import { loadClient } from './support/install.ts';
import { useSession } from './support/session.ts';

describe('openai', () => {
	const session = useSession('gpt');

	const createClient = async (): Promise<OpenAI> => {
		const { OpenAI } = await loadClient<typeof import('openai')>('openai');
		const { gateway } = session();
		return new OpenAI({ apiKey: gateway.apiKey, baseURL: `${gateway.baseUrl}/v1`, maxRetries: 0 });
	};

	for (const protocol of protocols) {
		it(`calls a tool and streams through ${protocol}`, async () => {
			const client = await createClient();
			const { services } = session();
			services.say = ({ answersTool, tools }) =>
				tools.includes('weather') && !answersTool ? { tool: 'weather', input: { place: 'Oslo' } } : { text: 'Cold.' };
			const weather = {
				name: 'weather',
				description: 'Weather',
				parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
				parse: JSON.parse,
				function: ({ place }: { place: string }) => `3 degrees in ${place}`,
			};
			const model = `gpt-via-${protocol}`;
			const messages = [{ role: 'user' as const, content: 'Weather?' }];
			for (const stream of [false, true]) {
				const tools = [{ type: 'function' as const, function: weather }];
				const runner = stream
					? client.chat.completions.runTools({ model, messages, tools, stream })
					: client.chat.completions.runTools({ model, messages, tools });
				assert.equal(await runner.finalContent(), 'Cold.');
				assert.match(JSON.stringify(services.asked.at(-1)?.body), /3 degrees in Oslo/);
			}
		});
	}

	it('lists models', async () => {
		const { data } = await (await createClient()).models.list();
		assert.deepEqual(
			data.map(({ id }) => id),
			[...protocols.map(protocol => `gpt-via-${protocol}`), 'offline'],
		);
	});
});
