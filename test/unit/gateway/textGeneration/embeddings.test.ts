import assert from 'node:assert/strict';
import http from 'node:http';
import { GatewayEmbeddings } from '#gateway/textGeneration/embeddings.ts';
import { embedTexts } from '#gateway/textGeneration/embedTexts.ts';
import { TextGeneration } from '#gateway/textGeneration/textGeneration.ts';
import { RouteTable } from '#models/routeTable.ts';
import { getServerUrl, listenOnLoopback } from '../../../support/services/loopback.ts';

describe('embeddings of a service', () => {
	let service: http.Server;
	let generation: TextGeneration;
	let body: string;
	before(async () => {
		service = http.createServer((_request, response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(body);
		});
		await listenOnLoopback(service);
		generation = new TextGeneration(new RouteTable([{ model: '*', provider: 'openai-compatible', base_url: getServerUrl(service) }]));
	});
	after(async () => {
		await generation.close();
		service.closeAllConnections();
		service.close();
	});

	const embedTexts = async (texts: readonly string[], data: readonly object[]): Promise<number[][]> => {
		body = JSON.stringify({ data });
		const vectors = await new GatewayEmbeddings(generation).embedTexts('m', texts, new AbortController().signal);
		return vectors.map(vector => [...vector]);
	};

	it('are refused if the service sends far more vectors than texts', async () => {
		const data = Array.from({ length: 200_000 }, () => ({ embedding: [1] }));
		await assert.rejects(embedTexts(['a text'], data), { name: 'ServiceFault', status: 502 });
	});

	it('belong to their texts, in whatever order the service sends them', async () => {
		const data = [1, 2, 0].map(index => ({ index, embedding: [index] }));
		assert.deepEqual(await embedTexts(['a', 'b', 'c'], data), [[0], [1], [2]]);
	});

	it('stay in their order if their indexes are missing or invalid', async () => {
		for (const indexes of [[], [0, 0, 0], [1, 2, 3], [-1, 0, 1], ['2', '1', '0'], [0.5, 1, 2], [2, 1]]) {
			const data = [5, 6, 7].map((value, i) => ({ index: indexes[i], embedding: [value] }));
			assert.deepEqual(await embedTexts(['a', 'b', 'c'], data), [[5], [6], [7]]);
		}
	});

	it('are refused if a number is too large for 32 bits', async () => {
		await assert.rejects(embedTexts(['a'], [{ embedding: [1, 1e300] }]), { name: 'ServiceFault', status: 502 });
	});
});

describe('embeddings of the offline model', () => {
	const embed = (count: number, dimensions: number) => {
		const route = new RouteTable().getRoute('offline');
		const texts = Array.from({ length: count }, () => 'a text');
		return embedTexts({} as TextGeneration, { route, model: 'offline', texts, dimensions }, new AbortController().signal);
	};

	it('are refused if a short request asks for more numbers than a response can have', async () => {
		await assert.rejects(embed(2_048, 16_384), { name: 'ServiceFault', status: 400, message: /The limit is 4000000 numbers/ });
	});

	it('let the gateway serve others between two texts', async () => {
		let turns = 0;
		const countTurn = () => {
			turns++;
			timer = setImmediate(countTurn);
		};
		let timer = setImmediate(countTurn);
		await embed(100, 256);
		clearImmediate(timer);
		assert.ok(turns >= 90, `${turns} turns`);
	});
});
