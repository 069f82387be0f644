import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { workflowRunRequestSchema } from '#contract/workflows.ts';
import { loadAgent } from '#engine/agentFile/agentFile.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import { checkInputs } from '#engine/run/inputs.ts';
import { createKnowledge } from '#gateway/knowledge/createKnowledge.ts';
import { Log } from '#gateway/process/log.ts';
import type { DatasetConfig } from '#gateway/setup/config.ts';
import { GatewayTextModels } from '#gateway/textGeneration/gatewayTextModels.ts';
import { TextGeneration } from '#gateway/textGeneration/textGeneration.ts';
import { RouteTable } from '#models/routeTable.ts';
import { createTestServices, runTestAgent, type TestRun } from '../run/engineFixture.ts';

const samples = path.resolve(import.meta.dirname, '../../../../samples');

/** Runs a run file like the editor, with `$file` replaced by the file's text and with the offline model. */
async function runSample(name: string): Promise<TestRun & { readonly agent: LoadedAgent; readonly text: string }> {
	const request = workflowRunRequestSchema.parse(JSON.parse(fs.readFileSync(path.join(samples, `runs/${name}.run.json`), 'utf8')));
	const inputs = Object.fromEntries(
		Object.entries(request.inputs).map(([key, value]) => {
			const file = (value as { $file?: string }).$file;
			return [key, file ? fs.readFileSync(path.join(samples, 'runs', file), 'utf8') : value];
		}),
	);
	const agent = loadAgent(fs.readFileSync(path.join(samples, `agents/${request.model}.yml`), 'utf8'), `${request.model}.yml`);
	const generation = new TextGeneration(new RouteTable());
	const models = new GatewayTextModels(generation);
	const data = fs.mkdtempSync(path.join(os.tmpdir(), 'samples-test-'));
	const { knowledge, stop } = createKnowledge({
		datasets: readSampleSettings()['agentWorkbench.gateway.knowledge'],
		base: samples,
		data,
		keys: new Map(),
		generation,
		log: new Log('text', () => {}),
	});
	try {
		const services = { ...createTestServices((order, signal) => models.streamReply(order, signal)), knowledge };
		const done = await runTestAgent(agent, { inputs: checkInputs(agent, inputs), user: request.user, mayPause: true }, services);
		return { ...done, agent, text: String(inputs['text'] ?? '') };
	} finally {
		await stop();
		fs.rmSync(data, { recursive: true, force: true });
	}
}

function readSampleSettings(): { readonly 'agentWorkbench.gateway.knowledge': Readonly<Record<string, DatasetConfig>> } {
	return JSON.parse(fs.readFileSync(path.join(samples, '.vscode/settings.json'), 'utf8'));
}

describe('sample agents', () => {
	const chatted = 'tide-guide';
	/** Expected statuses of the samples that don't succeed. */
	const endings = new Map([
		['approve-notice', 'paused'],
		['fails-on-purpose', 'failed'],
	]);
	const names = fs.readdirSync(path.join(samples, 'runs')).flatMap(file => /^(.+)\.run\.json$/.exec(file)?.[1] ?? []);

	it('each have a run file, except for the chat agent', () => {
		const agents = fs
			.readdirSync(path.join(samples, 'agents'))
			.map(file => path.parse(file).name)
			.filter(name => name !== chatted);
		const used = names.map(name => JSON.parse(fs.readFileSync(path.join(samples, `runs/${name}.run.json`), 'utf8')).model);
		assert.deepEqual([...new Set(used)].sort(), agents.sort());
	});

	for (const name of names) {
		it(`run ${name} with the offline model`, async () => {
			const { agent, data } = await runSample(name);
			assert.deepEqual(agent.warnings, []);
			const ending = endings.get(name) ?? 'succeeded';
			assert.equal(data.status, ending);
			assert.equal(data.error === null, ending !== 'failed');
			assert.ok(Object.values(data.outputs ?? {}).every(value => value !== null && value !== ''));
		});
	}

	it('chat with the offline model, and respect their word rules', async () => {
		const agent = loadAgent(fs.readFileSync(path.join(samples, `agents/${chatted}.yml`), 'utf8'), `${chatted}.yml`);
		assert.deepEqual(agent.warnings, []);
		const models = new GatewayTextModels(new TextGeneration(new RouteTable()));
		const askSampleAgent = async (query: string) => {
			const chat = { query, conversationId: 'c', dialogueCount: 1, variables: {}, history: [] };
			const services = createTestServices((order, signal) => models.streamReply(order, signal));
			return (await runTestAgent(agent, { inputs: checkInputs(agent, { reader: 'a child' }), chat }, services)).data.outputs?.['answer'];
		};
		assert.match(String(await askSampleAgent('What is a spring tide?')), /offline model.*You wrote: "What is a spring tide\?"/);
		assert.match(String(await askSampleAgent('Which chart depth is there?')), /harbour office/);
	});

	it('fail on purpose, with the reason and a remedy', async () => {
		const { data, trace } = await runSample('fails-on-purpose');
		assert.match(String(data.error), /Line 3 of the levels is "about 1\.4": expected a number.*on purpose; fix the line and run again/);
		assert.ok(
			trace.some(line => /^node_finished read failed/.test(line)),
			trace.join('\n'),
		);
	});

	for (const [name, about, queue] of [
		['support-fault', 'A fault or something that does not work', 'technicians'],
		['support-question', 'A question about how something works', 'first line'],
	] as const) {
		it(`sort ${name} into its class`, async () => {
			const { outputs } = (await runSample(name)).data;
			assert.deepEqual([outputs?.['about'], outputs?.['queue']], [about, queue]);
		});
	}

	it('answer from the handbook, and name the documents', async () => {
		const { answer, sources } = (await runSample('handbook-question')).data.outputs as Record<string, unknown>;
		assert.match(String(answer), /The context begins: "Computers and security > A lost laptop or phone\nCall the IT desk within the hour/);
		assert.match(String(sources), /^1\. security\.md/);
	});

	for (const [name, count] of [
		['annual-report', 5],
		['release-notes', 4],
	] as const) {
		it(`summarize ${name} in separate sentences`, async () => {
			const { data, text } = await runSample(name);
			const { summary, keywords, words, reading_minutes } = data.outputs as Record<string, unknown>;
			const sentences = String(summary)
				.split('\n')
				.filter(line => line.startsWith('- '))
				.map(line => line.slice(2));
			assert.equal(sentences.length, count);
			const places = sentences.map(sentence => text.replaceAll('*', '').indexOf(sentence));
			assert.ok(!places.includes(-1), 'every sentence is in the text');
			assert.deepEqual(
				places,
				[...places].sort((a, b) => a - b),
			);
			assert.equal((keywords as string[]).length, 8);
			assert.ok(Number(words) > 500 && Number(reading_minutes) >= 2);
		});
	}

	it('write the sections of an article concurrently', async () => {
		const { trace } = await runSample('write-article');
		const begun = trace.filter(line => /^node_(started|finished) (opening|middle|closing)/.test(line));
		assert.deepEqual(begun.slice(0, 3), ['node_started opening', 'node_started middle', 'node_started closing']);
	});

	it('answer every review of a batch in order', async () => {
		const { data } = await runSample('review-batch');
		const { rows } = data.outputs as { rows: string[] };
		assert.deepEqual(
			rows.map(row => row.slice(0, 9)),
			['| 1 | ★★★', '| 2 | ★★ ', '| 3 | ★★★', '| 4 | – |', '| 5 | ★★★'],
		);
		assert.match(rows[0] ?? '', /offline model/);
	});
});
