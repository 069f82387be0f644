import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { cleanUpGateways, createTemporaryFolder, startGateway } from '../contract/gateway/gatewayProcess.ts';
import {
	createLetterVectors,
	createRetrievalAgent,
	type FakeService,
	runRetrieval,
	searchDatasets,
	startJsonService,
	waitForDataset,
} from '../contract/gateway/knowledgeFixture.ts';
import { chooseSize, defineLongTest } from './support/long.ts';
import { patienceMs } from './support/patience.ts';
import { startProbe } from './support/probe.ts';

const agents = { seeker: createRetrievalAgent() };

describe('a broken document folder', () => {
	let folder: string;
	beforeEach(() => {
		folder = createTemporaryFolder();
		fs.writeFileSync(path.join(folder, 'good.md'), 'Radar gauges.');
	});
	afterEach(cleanUpGateways);
	const start = () => startGateway({ agents, config: { knowledge: { handbook: { folder } } } });

	it('with unreadable, huge and meaningless files is still searched for its other documents', async () => {
		fs.writeFileSync(path.join(folder, 'binary.md'), Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7919) % 256)));
		fs.writeFileSync(path.join(folder, 'no.docx'), 'radar, but no document');
		fs.writeFileSync(path.join(folder, 'picture.png'), Buffer.alloc(1000));
		fs.writeFileSync(path.join(folder, 'large.md'), '');
		fs.truncateSync(path.join(folder, 'large.md'), 50 * 1024 * 1024);
		fs.writeFileSync(path.join(folder, 'closed.md'), 'radar');
		fs.chmodSync(path.join(folder, 'closed.md'), 0);
		fs.writeFileSync(path.join(folder, 'line.md'), 'x'.repeat(chooseSize(1, 9) * 1_000_000));
		fs.writeFileSync(path.join(folder, 'fences.md'), '```\n# '.repeat(100_000));
		fs.writeFileSync(path.join(folder, 'half.md'), Buffer.from([0xf0, 0x9f, 0x0a, 0xff, 0xfe]));
		const gateway = await start();
		const health = startProbe(gateway);
		assert.ok((await searchDatasets(gateway, 'radar')).includes('good.md'));
		const status = await waitForDataset(gateway);
		const longest = await health.stop();
		assert.equal(status.state, 'ready');
		const problems = Object.fromEntries(status.problems.map(each => [each.path, each.problem]));
		assert.match(String(problems['large.md']), /larger than 32 MB/);
		assert.match(String(problems['picture.png']), /isn't supported/);
		assert.ok(problems['no.docx']);
		if (process.getuid?.() !== 0) {
			assert.match(String(problems['closed.md']), /EACCES/);
		}
		assert.ok(longest < patienceMs, `a health check took ${longest} ms`);
	});

	it('that changes during the search returns existing documents and fails no run', async () => {
		const gateway = await start();
		await searchDatasets(gateway, 'radar');
		let going = true;
		const turmoil = (async () => {
			for (let i = 0; going; i++) {
				const name = path.join(folder, `file${i % 20}`);
				fs.rmSync(name, { recursive: true, force: true });
				if (i % 3 === 0) {
					fs.mkdirSync(name);
					fs.writeFileSync(path.join(name, 'a.md'), `radar ${i}`);
				} else if (i % 3 === 1) {
					fs.writeFileSync(name, `radar ${i}`);
				} else {
					fs.symlinkSync('/etc/passwd', name);
				}
				await new Promise(resolve => setTimeout(resolve, 2));
			}
		})();
		for (let i = 0; i < chooseSize(3, 30); i++) {
			await new Promise(resolve => setTimeout(resolve, 400));
			const paths = await searchDatasets(gateway, 'gauges');
			assert.deepEqual(paths, ['good.md']);
			assert.deepEqual(await searchDatasets(gateway, 'root nologin'), []);
		}
		going = false;
		await turmoil;
	});

	it('that was removed is reported by the run, and is searched again once it is back', async () => {
		const gateway = await start();
		await searchDatasets(gateway, 'radar');
		fs.renameSync(folder, `${folder}-away`);
		await new Promise(resolve => setTimeout(resolve, 1_100));
		try {
			assert.match(
				String(await searchDatasets(gateway, 'radar')),
				/Couldn't search the dataset .*: the folder .* can't be read \(ENOENT\)/,
			);
			assert.equal((await waitForDataset(gateway)).state, 'failed');
		} finally {
			fs.renameSync(`${folder}-away`, folder);
		}
		await new Promise(resolve => setTimeout(resolve, 1_100));
		assert.deepEqual(await searchDatasets(gateway, 'radar'), ['good.md']);
	});

	defineLongTest('with ten thousand documents is indexed without delaying other callers', async () => {
		for (let i = 0; i < 10_000; i++) {
			fs.writeFileSync(path.join(folder, `document${i}.md`), `# Document ${i}\n${`words of document ${i} `.repeat(100)}`);
		}
		const gateway = await start();
		const health = startProbe(gateway);
		await waitForDataset(gateway);
		assert.deepEqual(await searchDatasets(gateway, 'gauges'), ['good.md']);
		const times = health.times.toSorted((a, b) => a - b);
		await health.stop();
		const p99 = times[Math.floor(times.length * 0.99)] ?? 0;
		assert.ok(p99 < patienceMs, `health checks took up to ${p99} ms`);
	});
});

describe('a failing embedding service', () => {
	const services: FakeService[] = [];
	afterEach(async () => {
		await cleanUpGateways();
		for (const service of services.splice(0)) {
			service.close();
		}
	});
	const start = async (answer: Parameters<typeof startJsonService>[0]) => {
		const service = await startJsonService(answer);
		services.push(service);
		const folder = createTemporaryFolder();
		fs.writeFileSync(path.join(folder, 'good.md'), 'Radar gauges.');
		return startGateway({
			agents,
			config: {
				routes: [{ model: 'letters', provider: 'openai-compatible', base_url: `${service.url}/v1` }],
				knowledge: { handbook: { folder, embeddings: 'letters' } },
			},
		});
	};
	/** Returns the node's notes after a search that falls back to words. */
	const readNotes = async (gateway: Awaited<ReturnType<typeof start>>) => {
		const stream = await gateway.openStream('/v1/agent/workflows/run', {
			model: 'seeker',
			inputs: { q: 'radar' },
			response_mode: 'streaming',
			user: 'ana',
		});
		const events = await stream.readRemainingEvents();
		const node = events.find(({ event, data }) => event === 'node_finished' && data.node_id === 'find');
		assert.equal(node?.['data'].outputs.result[0]?.title, 'good.md');
		return JSON.stringify(node?.['data'].process_data);
	};

	for (const [name, answer, says] of [
		['responds with an error', () => ({ status: 500, body: { error: { message: 'out of order' } } }), /responded with 500: out of order/],
		['returns more vectors than texts', () => createLetterVectors(['one', 'two']), /didn't return one vector/],
		['returns empty vectors', () => ({ body: { data: [{ embedding: [], index: 0 }] } }), /didn't return one vector/],
		['returns vectors without numbers', () => ({ body: { data: [{ embedding: ['a', null], index: 0 }] } }), /doesn't match its protocol/],
		['returns no JSON', () => ({ body: 'a text' }), /doesn't match its protocol/],
	] as const) {
		it(`that ${name} makes the node search by words and say why`, async () => {
			assert.match(await readNotes(await start(answer)), says);
		});
	}

	it('that returns vectors of the wrong length keeps the valid ones, and documents are found by words', async () => {
		let asked = 0;
		const gateway = await start(({ input }) => createLetterVectors(input, 'abcdefgh'.slice(asked++)));
		await waitForDataset(gateway, status => status.embedded === 1);
		assert.deepEqual(await searchDatasets(gateway, 'radar'), ['good.md']);
	});

	it('that stalls is skipped after some seconds', async () => {
		const gateway = await start(() => undefined);
		const began = performance.now();
		const { json } = await runRetrieval(gateway, 'radar');
		assert.equal(json.data.outputs.found[0].title, 'good.md');
		assert.ok(performance.now() - began < patienceMs + 10_000);
	});
});
