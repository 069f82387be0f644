import assert from 'node:assert/strict';
import { getPathGroup, Router } from '#gateway/server/router.ts';

describe('an unknown path', () => {
	for (const [path, headers, group, said] of [
		['/v1/files', { 'anthropic-version': '2023-06-01' }, 'messages', "Available paths for Anthropic's protocol: /v1/messages"],
		['/v1/files', {}, 'openai', "Available paths for OpenAI's protocol: /v1/chat/completions"],
		['/v1/cachedContents', { 'x-goog-api-key': 'k' }, 'content', "Available for Gemini's protocol: generateContent"],
		['/v1beta/files', {}, 'content', "Available for Gemini's protocol: generateContent"],
		['/v1/messages/batches', {}, 'messages', "Available paths for Anthropic's protocol: /v1/messages"],
		['/v1/agent/nothing', { 'x-goog-api-key': 'k' }, 'agent', "Unknown path '/v1/agent/nothing'."],
	] as const) {
		it(`gets an error in the caller's protocol: ${path}, ${JSON.stringify(headers)}`, () => {
			assert.equal(getPathGroup(path, headers), group);
			assert.throws(
				() => new Router().findRoute('POST', path, path, group),
				({ message, status }: { message: string; status: number }) => status === 404 && message.includes(said),
			);
		});
	}
});
