import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { waitUntil } from '../../support/waitUntil.ts';
import { cleanUpGateways, createTemporaryFolder, startGateway } from './gatewayProcess.ts';
import {
	createHandbookChat,
	createLetterVectors,
	createRetrievalAgent,
	type FakeService,
	runRetrieval,
	searchDatasets,
	startJsonService,
	waitForDataset,
} from './knowledgeFixture.ts';

/** Returns how often the index in a data folder has started to read `long.md`. */
function countAttempts(data: string): number {
	try {
		using db = new DatabaseSync(path.join(data, 'gateway.knowledge.db'), { readOnly: true });
		return Number(db.prepare("SELECT attempts FROM documents WHERE path = 'long.md'").get()?.['attempts'] ?? 0);
	} catch {
		return 0;
	}
}

describe('knowledge retrieval', () => {
	let folder: string;
	const services: FakeService[] = [];
	beforeEach(() => {
		folder = createTemporaryFolder();
		writeDocument('leave.md', '---\nowner: People\n---\n# Leave\n## Holidays\nEveryone has 28 days of holiday a year.');
		writeDocument('stations.txt', 'Radar gauges are calibrated once a year.');
	});
	afterEach(async () => {
		await cleanUpGateways();
		for (const service of services.splice(0)) {
			service.close();
		}
	});

	const writeDocument = (name: string, text: string) => fs.writeFileSync(path.join(folder, name), text);
	const startGatewayWithDocuments = (more: object = {}, data?: string) =>
		startGateway({
			agents: { seeker: createRetrievalAgent(), bookworm: createHandbookChat() },
			config: { knowledge: { handbook: { name: 'Our handbook', folder, ...more } } },
			...(data !== undefined && { data }),
		});
	const startTrackedService = async (answer: Parameters<typeof startJsonService>[0]) => {
		const service = await startJsonService(answer);
		services.push(service);
		return service;
	};

	it('finds the current documents of the folder', async () => {
		const gateway = await startGatewayWithDocuments();
		const { json } = await runRetrieval(gateway, 'How many days of holiday?');
		const [item] = json.data.outputs.found;
		assert.equal(item.title, 'leave.md');
		assert.equal(item.content, 'Leave > Holidays\nEveryone has 28 days of holiday a year.');
		const { _source, dataset_id, dataset_name, document_name, position, retriever_from, doc_metadata } = item.metadata;
		assert.deepEqual(
			{ _source, dataset_id, dataset_name, document_name, position, retriever_from },
			{
				_source: 'knowledge',
				dataset_id: 'handbook',
				dataset_name: 'Our handbook',
				document_name: 'leave.md',
				position: 1,
				retriever_from: 'workflow',
			},
		);
		assert.equal(doc_metadata.owner, 'People');
		assert.equal(doc_metadata.path, 'leave.md');
		// a folder checked a moment ago isn't checked again
		await new Promise(resolve => setTimeout(resolve, 1_100));
		writeDocument('leave.md', '# Leave\nThirty weeks of vacation.');
		writeDocument('new.md', 'Bicycles are lent at the gate.');
		assert.deepEqual(await searchDatasets(gateway, 'bicycles'), ['new.md']);
		assert.deepEqual(await searchDatasets(gateway, 'vacation'), ['leave.md']);
		await new Promise(resolve => setTimeout(resolve, 1_100));
		fs.rmSync(path.join(folder, 'new.md'));
		assert.deepEqual(await searchDatasets(gateway, 'bicycles'), []);
	});

	it('reads documents once, even across a restart, and again when requested', async () => {
		const embedded = await startTrackedService(({ input }) => createLetterVectors(input));
		const data = createTemporaryFolder();
		const config = {
			routes: [{ model: 'letters', provider: 'openai-compatible', base_url: `${embedded.url}/v1` }],
			knowledge: { handbook: { folder, embeddings: 'letters' } },
		};
		const agents = { seeker: createRetrievalAgent() };
		const first = await startGateway({ agents, data, config });
		await waitForDataset(first, status => status.embedded === 2);
		assert.equal(await first.endProcess(), 0);
		assert.deepEqual(
			embedded.asked.map(({ input }) => input.length),
			[2],
		);
		const second = await startGateway({ agents, data, config });
		const { documents, segments, embedded: vectors } = await waitForDataset(second, ({ state }) => state === 'ready');
		assert.deepEqual([documents, segments, vectors], [2, 2, 2]);
		// only the query is embedded now
		assert.deepEqual(await searchDatasets(second, 'holiday'), ['leave.md', 'stations.txt']);
		assert.deepEqual(embedded.asked.slice(1), [{ model: 'letters', input: ['holiday'], encoding_format: 'float' }]);
		writeDocument('stations.txt', 'Bicycles.');
		await new Promise(resolve => setTimeout(resolve, 1_100));
		await searchDatasets(second, 'bicycles');
		await waitForDataset(second, status => status.embedded === 2);
		assert.deepEqual(embedded.asked.at(-1)?.input, ['Bicycles.']);
		assert.equal((await second.send('POST', '/v1/agent/knowledge/handbook/reindex')).status, 200);
		await waitForDataset(second, status => status.embedded === 2);
		assert.equal(embedded.asked.at(-1)?.input.length, 2);
		assert.equal((await second.send('POST', '/v1/agent/knowledge/other/reindex')).status, 404);
	});

	it('embeds documents again if another model or service gets them, because vectors of two models are not comparable', async () => {
		const embedded = await startTrackedService(({ input }) => createLetterVectors(input));
		const data = createTemporaryFolder();
		const agents = { seeker: createRetrievalAgent() };
		const embedWith = async (upstream: string) => {
			const route = { model: 'letters', provider: 'openai-compatible', base_url: `${embedded.url}/v1`, upstream_model: upstream };
			const knowledge = { handbook: { folder, embeddings: 'letters' } };
			const gateway = await startGateway({ agents, data, config: { routes: [route], knowledge } });
			await waitForDataset(gateway, status => status.state === 'ready' && status.embedded === 2);
			assert.equal(await gateway.endProcess(), 0);
			return embedded.asked.map(({ model, input }) => [model, input.length]);
		};
		assert.deepEqual(await embedWith('small'), [['small', 2]]);
		assert.deepEqual(await embedWith('large'), [
			['small', 2],
			['large', 2],
		]);
		assert.equal((await embedWith('large')).length, 2);
	});

	it('reads a document after the gateway was killed twice while reading it', async function () {
		this.timeout(60_000);
		// takes a while to read
		writeDocument('long.md', `${'Lighthouses are painted in spring. '.repeat(200_000)}\n`);
		const data = createTemporaryFolder();
		const gateway = await startGatewayWithDocuments({}, data);
		await waitUntil('reading to start', () => countAttempts(data) > 0);
		await gateway.endProcess('SIGKILL');
		// as a second kill at the same moment leaves it
		const db = new DatabaseSync(path.join(data, 'gateway.knowledge.db'));
		assert.equal(db.prepare("UPDATE documents SET attempts = attempts + 1 WHERE path = 'long.md' AND attempts = 1").run().changes, 1);
		db.close();
		const { documents, failed, problems } = await waitForDataset(
			await startGatewayWithDocuments({}, data),
			({ state, waiting }) => state !== 'indexing' && !waiting,
		);
		assert.deepEqual([documents, failed], [3, 0], JSON.stringify(problems));
	});

	it('cites documents in a chat that shows its sources', async () => {
		const gateway = await startGatewayWithDocuments();
		const ask = { model: 'bookworm', inputs: {}, query: 'How many days of holiday?', response_mode: 'streaming', user: 'ana' };
		const stream = await gateway.openStream('/v1/agent/chat-messages', ask);
		const end = await stream.waitForEvent('message_end');
		const [cited] = end['metadata'].retriever_resources;
		assert.equal(cited.document_name, 'leave.md');
		assert.equal(cited.dataset_name, 'Our handbook');
		assert.match(cited.content, /28 days/);
		const { json } = await gateway.send('GET', `/v1/agent/messages?model=bookworm&user=ana&conversation_id=${end['conversation_id']}`);
		assert.match(json.data[0].answer, /The context begins: "Leave > Holidays/);
		assert.deepEqual(json.data[0].retriever_resources, end['metadata'].retriever_resources);
		const parameters = await gateway.send('GET', '/v1/agent/parameters?model=bookworm');
		assert.deepEqual(parameters.json.retriever_resource, { enabled: true });
	});

	it("names a dataset that isn't configured, and the setting for it", async () => {
		const gateway = await startGateway({ agents: { seeker: createRetrievalAgent(['abc=']) } });
		assert.match(
			String(await searchDatasets(gateway, 'x')),
			/'abc=' isn't configured\. .* 'agentWorkbench\.gateway\.knowledge' .*\{"abc=": \{"folder"/,
		);
		assert.deepEqual((await gateway.send('GET', '/v1/agent/knowledge')).json, { data: [] });
	});

	it('queries a Dify deployment too and merges the results with those of folders', async () => {
		const key = 'dataset-0123456789abcdef';
		const segment = {
			id: 's1',
			position: 3,
			document_id: 'd1',
			content: 'Holidays in Dify.',
			word_count: 17,
			document: { id: 'd1', name: 'dify.pdf', doc_metadata: { path: 'dify.pdf' } },
		};
		const deployment = await startTrackedService(({ query }) =>
			query === 'refuse'
				? { status: 403, body: { code: 'forbidden', message: `no ${key}` } }
				: { body: { query: {}, records: [{ segment, score: 0.7 }] } },
		);
		const remote = { dify: { base_url: `${deployment.url}/v1/`, dataset_id: 'uuid', key: 'DATASETS' } };
		const gateway = await startGateway({
			agents: {
				seeker: createRetrievalAgent(['remote', 'Our handbook']),
				single: createRetrievalAgent(['remote'], { retrieval_mode: 'single' }),
			},
			config: { knowledge: { handbook: { name: 'Our handbook', folder }, remote } },
			keys: { DATASETS: key },
		});
		const paths = await searchDatasets(gateway, 'holiday');
		assert.deepEqual([...paths].sort(), ['dify.pdf', 'leave.md']);
		assert.deepEqual(deployment.asked, [{ query: 'holiday' }]);
		assert.equal(deployment.headers[0]?.authorization, `Bearer ${key}`);
		const { json } = await runRetrieval(gateway, 'x'.repeat(300), 'single');
		assert.equal(json.data.outputs.found[0].metadata.segment_position, 3);
		assert.equal(deployment.asked.at(-1)?.query.length, 250);
		const refused = String(await searchDatasets(gateway, 'refuse', 'single'));
		assert.match(refused, /Couldn't search the dataset .* \(403\)/);
		assert.ok(!refused.includes(key) && !gateway.getLog().includes(key));
	});

	it('finds a folder relative to the configuration', async () => {
		const data = createTemporaryFolder();
		fs.mkdirSync(path.join(data, 'handbook'));
		fs.writeFileSync(path.join(data, 'handbook/a.md'), 'holiday');
		const config = path.join(data, 'config.json');
		fs.writeFileSync(config, '{ "knowledge": { "handbook": { "folder": "handbook" } } }');
		const gateway = await startGateway({ agents: { seeker: createRetrievalAgent() }, flags: ['--config', config] });
		assert.deepEqual(await searchDatasets(gateway, 'holiday'), ['a.md']);
	});
});
