import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { mock } from 'node:test';
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { Exchange } from '#gateway/server/exchange.ts';
import { streamReply } from '#gateway/textGeneration/streamReply.ts';
import { fitCall } from '#models/fit/fitCall.ts';
import { RouteTable } from '#models/routeTable.ts';
import { MessagesReplyWriter } from '#models/translate/messages/messagesReplyWriter.ts';

const route = new RouteTable().getRoute('offline');
const fitted = fitCall({ prompt: [] }, route, 'offline');

describe('streamed reply', () => {
	let server: http.Server;
	let handle: (exchange: Exchange) => Promise<void>;
	let url: string;

	before(done => {
		server = http.createServer((request, response) => void handle(new Exchange(request, response, { path: '/', search: '' })));
		server.listen(0, '127.0.0.1', () => {
			url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
			done();
		});
	});
	after(() => {
		server.closeAllConnections();
		server.close();
	});
	afterEach(() => mock.timers.reset());

	it('starts, and is kept alive by pings, while the model is silent', async () => {
		mock.timers.enable({ apis: ['setInterval'] });
		let model: ReadableStreamDefaultController<LanguageModelV4StreamPart> | undefined;
		const parts = new ReadableStream<LanguageModelV4StreamPart>({
			start(controller) {
				model = controller;
			},
		});
		const handled = new Promise<void>(resolve => {
			handle = exchange => {
				resolve();
				return streamReply(exchange, route, parts, new MessagesReplyWriter('m', 1), fitted);
			};
		});
		const answer = fetch(url);
		await handled;
		mock.timers.tick(10_000);
		const response = await answer;
		assert.equal(response.status, 200);
		mock.timers.tick(10_000);
		const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 0, text: 0, reasoning: 0 } };
		model?.enqueue({ type: 'finish', usage, finishReason: { unified: 'stop', raw: 'stop' } });
		model?.close();
		const types = [...(await response.text()).matchAll(/^event: (.*)$/gm)].map(match => match[1]);
		assert.deepEqual(types, ['message_start', 'ping', 'ping', 'ping', 'message_delta', 'message_stop']);
	});

	it('rejects with an internal error, so that the server logs it', async () => {
		const mistake = new TypeError('a mistake');
		const thrown = new Promise<unknown>(resolve => {
			handle = async exchange => {
				const parts = new ReadableStream<LanguageModelV4StreamPart>({
					pull() {
						throw mistake;
					},
				});
				resolve(await streamReply(exchange, route, parts, new MessagesReplyWriter('m', 1), fitted).catch((error: unknown) => error));
				exchange.response.end();
			};
		});
		await (await fetch(url)).arrayBuffer();
		assert.equal(await thrown, mistake);
	});
});
