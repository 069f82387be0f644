import assert from 'node:assert/strict';
import http from 'node:http';
import { GatewayEmbeddings } from '#gateway/textGeneration/embeddings.ts';
import { TextGeneration } from '#gateway/textGeneration/textGeneration.ts';
import { RouteTable } from '#models/routeTable.ts';
import { getServerUrl, listenOnLoopback } from '../../../support/services/loopback.ts';

describe('embeddings of a service', () => {
	let service: http.Server;
	let generation: TextGeneration;
	after(async () => {
		await generation.close();
		service.closeAllConnections();
		service.close();
	});

	it('are refused if the service sends far more vectors than texts', async () => {
		const body = JSON.stringify({ data: Array.from({ length: 200_000 }, () => ({ embedding: [1] })) });
		service = http.createServer((_request, response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(body);
		});
		await listenOnLoopback(service);
		generation = new TextGeneration(new RouteTable([{ model: '*', provider: 'openai-compatible', base_url: getServerUrl(service) }]));
		await assert.rejects(new GatewayEmbeddings(generation).embedTexts('m', ['a text'], new AbortController().signal), {
			name: 'ServiceFault',
			status: 502,
		});
	});
});
