import assert from 'node:assert/strict';
import http from 'node:http';
import type { ModelPart, ModelRequest } from '#engine/run/engineTypes.ts';
import { GatewayTextModels } from '#gateway/textGeneration/gatewayTextModels.ts';
import { TextGeneration } from '#gateway/textGeneration/textGeneration.ts';
import { RouteTable } from '#models/routeTable.ts';
import { waitUntilResponseWritable } from '../../../contract/recordingUpstream.ts';
import { getServerUrl, listenOnLoopback } from '../../../support/services/loopback.ts';

describe('text models of nodes', () => {
	const generation = new TextGeneration(
		new RouteTable([{ model: 'away', provider: 'openai-compatible', base_url: 'http://127.0.0.1:9/v1', key: 'GONE' }]),
	);
	const models = new GatewayTextModels(generation);
	after(() => generation.close());

	async function readReply(request: ModelRequest, signal = new AbortController().signal): Promise<ModelPart[]> {
		const parts: ModelPart[] = [];
		for await (const part of models.streamReply(request, signal)) {
			parts.push(part);
		}
		return parts;
	}
	const getText = (parts: readonly ModelPart[]) => parts.map(part => (part.type === 'text' ? part.text : '')).join('');

	it('stream chunks, and finish exactly once, at the end, with the usage', async () => {
		const parts = await readReply({
			model: 'offline',
			messages: [
				{ role: 'system', content: 'Rules' },
				{
					role: 'user',
					content: [
						{ type: 'text', text: 'Hello' },
						{ type: 'image', mediaType: 'image/png', data: 'AAAA' },
						{ type: 'image', url: 'https://example.invalid/a.png' },
					],
				},
			],
		});
		assert.match(getText(parts), /You wrote: "Hello"\. Attached: 2 files\. The system prompt has 5 characters\./);
		const finish = parts.at(-1);
		assert.ok(finish?.type === 'finish');
		assert.equal(finish.finishReason, 'stop');
		assert.equal(finish.usage.completionTokens, parts.length - 1);
		assert.ok(finish.usage.promptTokens > 500);
		assert.equal(parts.filter(({ type }) => type === 'finish').length, 1);
	});

	it('use the settings and a schema', async () => {
		const parts = await readReply({ model: 'offline', messages: [{ role: 'user', content: 'x' }], maxTokens: 2 });
		assert.deepEqual(
			parts.map(part => (part.type === 'finish' ? part.finishReason : 'text' in part ? part.text : '')),
			['This', ' is', 'length'],
		);
		const responseSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
		assert.deepEqual(
			JSON.parse(getText(await readReply({ model: 'offline', messages: [{ role: 'user', content: 'x' }], responseSchema }))),
			{
				n: 0,
			},
		);
	});

	it('separate reasoning from text', async () => {
		const parts = await readReply({ model: 'offline', messages: [{ role: 'user', content: '[offline: think]' }] });
		assert.ok(parts.some(({ type }) => type === 'reasoning'));
	});

	it('fail with a message', async () => {
		await assert.rejects(readReply({ model: 'offline-error-429', messages: [{ role: 'user', content: 'x' }] }), /failed with status 429/);
		await assert.rejects(readReply({ model: 'away', messages: [{ role: 'user', content: 'x' }] }), /needs the key 'GONE'/);
		await assert.rejects(
			readReply({ model: 'offline', messages: [{ role: 'user', content: 'x [offline: cut-after=2]' }] }),
			/ended before it was complete/,
		);
	});

	it('refuse a response with more and more calls and no text', async () => {
		const service = http.createServer(async (_request, response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			for (let sent = 0; sent < 200_000 && !response.destroyed; ) {
				const calls = Array.from({ length: 100 }, () => ({ index: sent++, id: `c${sent}`, function: { name: 'x', arguments: '' } }));
				if (!response.write(`data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { tool_calls: calls } }] })}\n\n`)) {
					await waitUntilResponseWritable(response);
				}
			}
			response.destroy();
		});
		await listenOnLoopback(service);
		const flooded = new TextGeneration(new RouteTable([{ model: '*', provider: 'openai-compatible', base_url: getServerUrl(service) }]));
		const readFlood = async () => {
			for await (const _ of new GatewayTextModels(flooded).streamReply(
				{ model: 'm', messages: [{ role: 'user', content: 'x' }] },
				new AbortController().signal,
			)) {
				// no part arrives before the stream ends
			}
		};
		try {
			await assert.rejects(readFlood(), /exceeds the limit of 1000 tool calls/);
		} finally {
			await flooded.close();
			service.closeAllConnections();
			service.close();
		}
	});

	it('stop when their signal aborts', async () => {
		const controller = new AbortController();
		const seen: ModelPart[] = [];
		await assert.rejects(async () => {
			for await (const part of models.streamReply(
				{ model: 'offline', messages: [{ role: 'user', content: '[offline: delay=20 tokens=1000]' }] },
				controller.signal,
			)) {
				seen.push(part);
				controller.abort(new Error('stopped'));
			}
		}, /stopped/);
		assert.equal(seen.length, 1);
	});
});
