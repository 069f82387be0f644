import assert from 'node:assert/strict';
import http from 'node:http';
import { Exchange } from '#gateway/server/exchange.ts';
import { TextGeneration } from '#gateway/textGeneration/textGeneration.ts';
import { RouteTable } from '#models/routeTable.ts';
import { ChatReplyWriter } from '#models/translate/chatCompletions/chatReplyWriter.ts';
import { ContentReplyWriter } from '#models/translate/content/contentReply.ts';
import { MessagesReplyWriter } from '#models/translate/messages/messagesReplyWriter.ts';
import type { ReplyWriter } from '#models/translate/replyWriter.ts';
import { createResponseHead } from '#models/translate/responses/responseHead.ts';
import { ResponseMaker } from '#models/translate/responses/responseMaker.ts';
import { createResponsesCall } from '#models/translate/responses/responsesCall.ts';
import { ResponsesReplyWriter } from '#models/translate/responses/responsesReplyWriter.ts';
import { waitUntilResponseWritable } from '../../../contract/recordingUpstream.ts';
import { getServerUrl, listenOnLoopback } from '../../../support/services/loopback.ts';

describe('a very long translated stream', () => {
	let deltas: Iterable<object>;
	let writer: () => ReplyWriter;
	const service = http.createServer(async (_request, response) => {
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		for (const delta of deltas) {
			if (!response.write(`data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta }] })}\n\n`)) {
				await waitUntilResponseWritable(response);
			}
		}
		response.end('data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
	});
	let generation: TextGeneration;
	const gateway = http.createServer(async (request, response) => {
		const route = generation.table.getRoute('m');
		const form = { stream: true, createWriter: writer, formatWhole: () => ({}) };
		await generation.respondWithModel(new Exchange(request, response, { path: '/', search: '' }), route, 'm', { prompt: [] }, form);
	});
	before(async () => {
		await Promise.all([listenOnLoopback(service), listenOnLoopback(gateway)]);
		generation = new TextGeneration(new RouteTable([{ model: '*', provider: 'openai-compatible', base_url: getServerUrl(service) }]));
	});
	after(async () => {
		await generation.close();
		for (const server of [service, gateway]) {
			server.closeAllConnections();
			server.close();
		}
	});

	const streamReplyOf = async () => (await fetch(getServerUrl(gateway))).text();
	const isTooLong = /The reply from m is too long/;
	const createCall = (index: number) => ({ index, id: `c${index}`, function: { name: 'x', arguments: '' } });
	const longText = Array.from({ length: 1_200 }, () => ({ content: 'x'.repeat(10_000) }));

	it('fails if it has more and more calls', async () => {
		writer = () => new ChatReplyWriter('m', false);
		deltas = Array.from({ length: 120 }, (_, i) => ({ tool_calls: Array.from({ length: 100 }, (_, j) => createCall(i * 100 + j)) }));
		assert.match(await streamReplyOf(), /exceeds the limit of 1000 tool calls/);
	});

	it('fails if its text waits for the end of a call', async () => {
		writer = () => new MessagesReplyWriter('m', 1);
		deltas = [{ tool_calls: [createCall(0)] }, ...longText];
		assert.match(await streamReplyOf(), isTooLong);
	});

	it('fails if its last event repeats its text', async () => {
		const request = { model: 'm', input: 'x', stream: true };
		const { tools } = createResponsesCall(request, [{ type: 'message', role: 'user', content: 'x' }]);
		const options = { tools, showsEncrypted: false, now: Date.now, onEnded: () => {} };
		writer = () => new ResponsesReplyWriter(new ResponseMaker(createResponseHead(request, 'm', tools.kept, 0), options));
		deltas = longText;
		assert.match(await streamReplyOf(), isTooLong);
	});

	it('fails if its thinking waits for a signature', async () => {
		writer = () => new ContentReplyWriter('m', true);
		deltas = Array.from({ length: 1_200 }, () => ({ reasoning_content: 'x'.repeat(10_000) }));
		assert.match(await streamReplyOf(), isTooLong);
	});

	it('passes if nothing of it is stored', async () => {
		writer = () => new MessagesReplyWriter('m', 1);
		deltas = longText;
		const text = await streamReplyOf();
		assert.ok(text.length > 12_000_000);
		assert.match(text.slice(-100), /message_stop/);
	});
});
