import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { protocols } from './support/fakeServices.ts';
import { findClientFile } from './support/install.ts';
import { runClient, useSession } from './support/session.ts';

describe('Gemini CLI', () => {
	const session = useSession('gemini-2.5-pro');

	for (const protocol of protocols) {
		it(`reads a file with its tool through ${protocol}`, async () => {
			const { services, gateway, home } = session();
			fs.mkdirSync(path.join(home, '.gemini'), { recursive: true });
			fs.writeFileSync(
				path.join(home, '.gemini/settings.json'),
				JSON.stringify({
					security: { auth: { selectedType: 'gemini-api-key' } },
					privacy: { usageStatisticsEnabled: false },
					general: { enableAutoUpdate: false },
				}),
			);
			fs.writeFileSync(path.join(home, 'note.txt'), 'The word is elderberry.');
			services.say = ({ answersTool, tools }) =>
				tools.includes('read_file') && !answersTool
					? { tool: 'read_file', input: { file_path: path.join(home, 'note.txt') } }
					: { text: 'It was read.' };
			const args = ['-p', 'Read note.txt', '-m', `gemini-2.5-pro-via-${protocol}`, '--output-format', 'json', '--skip-trust'];
			const out = await runClient(findClientFile('@google/gemini-cli/bundle/gemini.js') ?? '', args, home, {
				GEMINI_API_KEY: gateway.apiKey,
				GOOGLE_GEMINI_BASE_URL: gateway.baseUrl,
			});
			const { response } = JSON.parse(out.slice(out.indexOf('{'))) as { response: string };
			assert.equal(response, 'It was read.');
			const turn = services.listToolRequests().find(({ answersTool }) => answersTool)?.body;
			assert.match(JSON.stringify(turn), /elderberry/);
			if (protocol === 'anthropic') {
				const { messages } = turn as { messages: { role: string; content: { type: string; signature?: string }[] }[] };
				const thought = messages.find(({ role }) => role === 'assistant')?.content[0];
				assert.equal(thought?.signature, 'c2lnbmVk', 'the thought comes back with the call');
			}
		});
	}
});
