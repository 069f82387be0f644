import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DatasetStatus } from '#contract/knowledge.ts';
import { createAgentText, createEndNode, createStartNode } from '../../unit/engine/run/engineFixture.ts';
import type { Answer, GatewayProcess } from './gatewayProcess.ts';

const createRetrievalNode = (datasets: readonly string[], more: object = {}) => ({
	type: 'knowledge-retrieval',
	dataset_ids: datasets,
	multiple_retrieval_config: { top_k: 4, reranking_enable: false },
	...more,
});

/** Creates an agent that looks up its input `q` and returns the results. */
export function createRetrievalAgent(datasets: readonly string[] = ['handbook'], more: object = {}): string {
	return createAgentText(
		[
			createStartNode('q'),
			{ id: 'find', data: { ...createRetrievalNode(datasets, more), query_variable_selector: ['start', 'q'] } as never },
			createEndNode({ found: 'find.result' }),
		],
		['start > find', 'find > end'],
	);
}

/** Creates a chat that answers from the dataset `handbook` with the offline model. */
export function createHandbookChat(): string {
	const llm = {
		type: 'llm',
		model: { provider: 'p', name: 'offline', mode: 'chat', completion_params: {} },
		prompt_template: [
			{ role: 'system', text: '<context>{{#context#}}</context>' },
			{ role: 'user', text: '{{#sys.query#}}' },
		],
		context: { enabled: true, variable_selector: ['find', 'result'] },
	};
	return createAgentText(
		[
			createStartNode(),
			{ id: 'find', data: { ...createRetrievalNode(['handbook']), query_variable_selector: ['sys', 'query'] } as never },
			{ id: 'llm', data: llm },
			{ id: 'answer', data: { type: 'answer', answer: '{{#llm.text#}}' } },
		],
		['start > find', 'find > llm', 'llm > answer'],
		{ mode: 'advanced-chat', workflow: { features: { retriever_resource: { enabled: true } } } },
	);
}

/** Runs the agent of {@link createRetrievalAgent}. */
export function runRetrieval(gateway: GatewayProcess, q: string, model = 'seeker'): Promise<Answer> {
	return gateway.send('POST', '/v1/agent/workflows/run', { model, inputs: { q }, response_mode: 'blocking', user: 'ana' });
}

/** Runs the agent of {@link createRetrievalAgent}, and returns the paths of the found documents or the run's error. */
export async function searchDatasets(gateway: GatewayProcess, q: string, model?: string): Promise<readonly string[] | string> {
	const { json } = await runRetrieval(gateway, q, model);
	return (
		json.data.error ??
		json.data.outputs.found.map((item: { metadata: { doc_metadata: { path: string } } }) => item.metadata.doc_metadata.path)
	);
}

/** Returns the gateway's only dataset once its status meets a condition. */
export async function waitForDataset(
	gateway: GatewayProcess,
	holds: (status: DatasetStatus) => boolean = ({ state }) => state !== 'indexing',
): Promise<DatasetStatus> {
	for (;;) {
		const { json } = await gateway.send('GET', '/v1/agent/knowledge');
		if (holds(json.data[0])) {
			return json.data[0];
		}
		await new Promise(resolve => setTimeout(resolve, 20));
	}
}

/** A request to an embedding service or a dataset on a Dify deployment. */
export interface ServiceRequest {
	readonly model?: string;
	readonly input: readonly string[];
	readonly query: string;
}

/** A JSON service on this machine. `close` also ends pending responses. */
export interface FakeService {
	readonly url: string;
	/** Received bodies in order. */
	readonly asked: readonly ServiceRequest[];
	readonly headers: http.IncomingHttpHeaders[];
	close(): void;
}

/** Starts a JSON service. It never responds to a request for which `answer` returns undefined. */
export async function startJsonService(
	answer: (body: ServiceRequest) => { readonly status?: number; readonly body: unknown } | undefined,
): Promise<FakeService> {
	const service = { asked: [] as ServiceRequest[], headers: [] as http.IncomingHttpHeaders[] };
	const server = http.createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) {
			chunks.push(chunk as Buffer);
		}
		const asked = JSON.parse(Buffer.concat(chunks).toString()) as ServiceRequest;
		service.asked.push(asked);
		service.headers.push(request.headers);
		const reply = answer(asked);
		if (reply) {
			response.writeHead(reply.status ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
		}
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		...service,
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

/** Returns a vector for each text: how often it contains each of the letters. */
export function createLetterVectors(input: readonly string[], letters = 'abcdefgh'): { readonly body: unknown } {
	const data = input.map((text, index) => ({
		object: 'embedding',
		index,
		embedding: [...letters].map(letter => text.toLowerCase().split(letter).length - 1 + 0.01),
	}));
	return { body: { object: 'list', data, model: 'm', usage: { prompt_tokens: 1, total_tokens: 1 } } };
}
