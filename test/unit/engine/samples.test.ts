import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { loadAgent } from '../../../src/gateway/engine/agentFile.ts';
import type { LoadedAgent } from '../../../src/gateway/engine/agentTypes.ts';
import { checkInputs } from '../../../src/gateway/engine/inputs.ts';
import { GatewayTextModels } from '../../../src/gateway/models/gatewayTextModels.ts';
import { RouteTable } from '../../../src/gateway/models/routeTable.ts';
import { TextGeneration } from '../../../src/gateway/models/textGeneration.ts';
import { workflowRunRequestSchema } from '../../../src/protocol/workflows.ts';
import { run, type TestRun, testServices } from './engineFixture.ts';

const samples = path.resolve(import.meta.dirname, '../../../samples');

/** Runs a run file as the editor does: `$file` is replaced by the file's text, and the model is the offline one. */
async function runSample(name: string): Promise<TestRun & { readonly agent: LoadedAgent; readonly text: string }> {
	const request = workflowRunRequestSchema.parse(JSON.parse(fs.readFileSync(path.join(samples, `runs/${name}.run.json`), 'utf8')));
	const inputs = Object.fromEntries(
		Object.entries(request.inputs).map(([key, value]) => {
			const file = (value as { $file?: string }).$file;
			return [key, file ? fs.readFileSync(path.join(samples, 'runs', file), 'utf8') : value];
		}),
	);
	const agent = loadAgent(fs.readFileSync(path.join(samples, `agents/${request.model}.yml`), 'utf8'), `${request.model}.yml`);
	const models = new GatewayTextModels(new TextGeneration(new RouteTable()));
	const services = testServices((order, signal) => models.stream(order, signal));
	const done = await run(agent, { inputs: checkInputs(agent, inputs), user: request.user }, services);
	return { ...done, agent, text: String(inputs['text'] ?? '') };
}

describe('sample agents', () => {
	const names = fs.readdirSync(path.join(samples, 'runs')).flatMap(file => /^(.+)\.run\.json$/.exec(file)?.[1] ?? []);

	it('have a run file each', () => {
		const agents = fs.readdirSync(path.join(samples, 'agents')).map(file => path.parse(file).name);
		const used = names.map(name => JSON.parse(fs.readFileSync(path.join(samples, `runs/${name}.run.json`), 'utf8')).model);
		assert.deepEqual([...new Set(used)].sort(), agents.sort());
	});

	for (const name of names) {
		it(`run ${name} with the offline model`, async () => {
			const { agent, data } = await runSample(name);
			assert.deepEqual(agent.warnings, []);
			assert.equal(data.error, null);
			assert.equal(data.status, 'succeeded');
			assert.ok(Object.values(data.outputs ?? {}).every(value => value !== null && value !== ''));
		});
	}

	for (const [name, count] of [
		['annual-report', 5],
		['release-notes', 4],
	] as const) {
		it(`summarize ${name} in sentences of its own`, async () => {
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

	it('write the sections of an article at the same time', async () => {
		const { trace } = await runSample('write-article');
		const begun = trace.filter(line => /^node_(started|finished) (opening|middle|closing)/.test(line));
		assert.deepEqual(begun.slice(0, 3), ['node_started opening', 'node_started middle', 'node_started closing']);
	});

	it('answer every review of a batch in its order', async () => {
		const { data } = await runSample('review-batch');
		const { rows } = data.outputs as { rows: string[] };
		assert.deepEqual(
			rows.map(row => row.slice(0, 9)),
			['| 1 | ★★★', '| 2 | ★★ ', '| 3 | ★★★', '| 4 | – |', '| 5 | ★★★'],
		);
		assert.match(rows[0] ?? '', /offline model/);
	});
});
