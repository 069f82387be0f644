import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { inlineFiles } from '#models/translate/inlineFiles.ts';
import { getServerPort, listenOnLoopback } from '../../../support/services/loopback.ts';

describe('files referenced by address in a prompt', () => {
	let server: http.Server;
	let requests = 0;
	before(async () => {
		server = http.createServer((request, response) => {
			requests++;
			response.setHeader('content-type', request.url === '/page' ? 'text/html' : 'image/png');
			response.end(request.url === '/large.png' ? Buffer.alloc(18 * 1024 * 1024) : Buffer.from([1, 2, 3]));
		});
		await listenOnLoopback(server);
	});
	beforeEach(() => {
		requests = 0;
	});
	after(async () => {
		server.close();
		await once(server, 'close');
	});

	const createPromptWith = (...addresses: readonly string[]): LanguageModelV4Prompt => [
		{
			role: 'user',
			content: addresses.map(address => ({ type: 'file', mediaType: 'image/*', data: { type: 'url', url: new URL(address) } })),
		},
	];
	const toLocalUrl = (path: string): string => `http://127.0.0.1:${getServerPort(server)}${path}`;
	const { signal } = new AbortController();

	it('are fetched and embedded', async () => {
		const [message] = await inlineFiles(createPromptWith(toLocalUrl('/dot.png')), {}, { network: {}, allowPrivateNetwork: true }, signal);
		const [part] = message!.content as { mediaType: string; data: { data: Uint8Array } }[];
		assert.equal(part!.mediaType, 'image/png');
		assert.deepEqual([...part!.data.data], [1, 2, 3]);
	});

	it('are fetched once, however often the prompt refers to them', async () => {
		const prompt = createPromptWith(...Array.from({ length: 50 }, () => toLocalUrl('/dot.png')));
		const [message] = await inlineFiles(prompt, {}, { network: {}, allowPrivateNetwork: true }, signal);
		const parts = message!.content as { data: { data: Uint8Array } }[];
		assert.deepEqual(new Set(parts.map(({ data }) => data.data.length)), new Set([3]));
		assert.equal(requests, 1);
	});

	it('are refused if they would fill the memory together', async () => {
		const prompt = createPromptWith(...Array.from({ length: 6 }, () => toLocalUrl('/large.png')));
		await assert.rejects(inlineFiles(prompt, {}, { network: {}, allowPrivateNetwork: true }, signal), {
			status: 400,
			message: /too large together/,
		});
	});

	it('stay addresses if the model fetches them itself', async () => {
		const prompt = createPromptWith(toLocalUrl('/dot.png'));
		assert.deepEqual(await inlineFiles(prompt, { 'image/*': [/^http:/] }, { network: {}, allowPrivateNetwork: false }, signal), prompt);
		assert.equal(requests, 0);
	});

	it('are refused in a private network before anything is sent', async () => {
		await assert.rejects(inlineFiles(createPromptWith(toLocalUrl('/dot.png')), {}, { network: {}, allowPrivateNetwork: false }, signal), {
			status: 400,
			message: /^Couldn't fetch the file at http:\/\/127\.0\.0\.1:\d+: it's on a private network/,
		});
		assert.equal(requests, 0);
	});

	it("are refused if models don't accept their type", async () => {
		await assert.rejects(inlineFiles(createPromptWith(toLocalUrl('/page')), {}, { network: {}, allowPrivateNetwork: true }, signal), {
			status: 400,
			message: /status 200 and media type 'text\/html'/,
		});
	});
});
