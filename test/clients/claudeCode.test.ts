import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { protocols } from './support/fakeServices.ts';
import { findClientFile } from './support/install.ts';
import { runClient, useSession } from './support/session.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('Claude Code', () => {
	const session = useSession('claude-sonnet-4-5');
	let program: string;

	before(function () {
		const wrapper = findClientFile('@anthropic-ai/claude-code/cli-wrapper.cjs');
		const kind = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;
		if (wrapper === undefined || findClientFile(kind) === undefined) {
			console.log(`      skipped: Claude Code has no program for this machine (${kind} was not installed)`);
			this.skip();
		}
		program = wrapper;
	});

	const runPrompt = async (model: string, prompt: string): Promise<{ result: string; is_error: boolean }> => {
		const { gateway, home } = session();
		const args = ['-p', prompt, '--model', model, '--output-format', 'json', '--allowedTools', 'Read'];
		const out = await runClient(program, args, home, {
			ANTHROPIC_BASE_URL: gateway.baseUrl,
			ANTHROPIC_AUTH_TOKEN: gateway.apiKey,
			ANTHROPIC_SMALL_FAST_MODEL: model,
			CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
			DISABLE_AUTOUPDATER: '1',
		});
		return JSON.parse(out) as { result: string; is_error: boolean };
	};

	for (const protocol of protocols) {
		it(`reads a picture with its tool through ${protocol}`, async () => {
			const { services, home } = session();
			const picture = path.join(home, 'a.png');
			fs.writeFileSync(picture, Buffer.from(pixel, 'base64'));
			services.say = ({ answersTool, tools }) =>
				tools.includes('Read') && !answersTool ? { tool: 'Read', input: { file_path: picture } } : { text: 'I saw it.' };
			const { result, is_error } = await runPrompt(`claude-sonnet-4-5-via-${protocol}`, 'Look at a.png');
			assert.equal(is_error, false, result);
			assert.equal(result, 'I saw it.');
			const last = services.listToolRequests().at(-1)?.body;
			assert.ok(last);
			const turns = (last['messages'] ?? last['contents']) as { role: string; content?: unknown; parts?: unknown }[];
			const tool = turns.find(({ role }) => role === 'tool');
			assert.doesNotMatch(JSON.stringify(tool?.content ?? ''), /iVBORw0K/);
			assert.match(
				JSON.stringify(turns.at(-1)),
				protocol === 'openai-compatible' ? /"image_url"/ : protocol === 'google' ? /"inlineData"/ : /"image"/,
			);
		});
	}
});
