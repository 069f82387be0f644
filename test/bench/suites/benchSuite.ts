import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fillPlaceholders } from '../../../src/base/text/fillPlaceholders.ts';
import { ServiceClient } from '../../../src/client/client.ts';
import { readSuite } from '../../../src/suites/reading/readSuite.ts';
import { ConnectionPace } from '../../../src/suites/running/connectionPace.ts';
import { SuiteRunner } from '../../../src/suites/running/suiteRunner.ts';
import type { Suite } from '../../../src/suites/suite.ts';
import { cleanUpGateways, createTemporaryFolder, startGateway } from '../../contract/gateway/gatewayProcess.ts';
import { createTemplateChain } from '../engine/agents.ts';

const checkThread = new URL('../../../src/suites/checks/thread/checkThread.ts', import.meta.url);

/** A connection, and two ways to run rows on it. */
export interface BenchRuns {
	/** Runs rows of an agent without a model as a suite; resolves when the last result is on disk. */
	runSuite(rows: number, concurrency: number): Promise<void>;
	/** Runs the same requests in a loop with the client and reads each to its end, which is the minimum. */
	runWithoutSuite(runs: number, concurrency: number): Promise<void>;
	/** Runs rows with four variants of the agent, as a comparison; resolves when the last result is on disk. */
	runMatrix(rows: number, concurrency: number): Promise<void>;
	/** Runs the same texts of the agent in a loop, `rows` times each. */
	runTextsWithoutSuite(rows: number, concurrency: number): Promise<void>;
	close(): Promise<void>;
}

/** Texts of the agent, as variants have them. */
const variants = ['now', 'short', 'long', 'other'].map(name => ({ name, source: `# ${name}\n${createTemplateChain(3)}` }));

let opened: Promise<BenchRuns> | undefined;

/** Returns both ways of running rows on the real gateway, in a separate process that all measures share. */
export function getBenchRuns(): Promise<BenchRuns> {
	opened ??= startGateway({ agents: { five: createTemplateChain(3) } }).then(({ baseUrl, apiKey }) => createBenchRuns(baseUrl, apiKey));
	return opened;
}

/** Stops the processes that the measures share. */
export async function closeBenchRuns(): Promise<void> {
	await (await opened)?.close();
	await cleanUpGateways();
}

/** Connects to a service, and returns both ways of running rows on it. */
export function createBenchRuns(baseUrl: string, key: string): BenchRuns {
	const client = new ServiceClient({ baseUrl, kind: 'gateway', keys: { agent: key } });
	const runner = new SuiteRunner({ checkThread });
	const pace = new ConnectionPace();
	const folder = createTemporaryFolder();
	const service = {
		name: 'bench',
		client,
		pace,
		agents: undefined,
		drafts: false,
		takesMocks: true,
		user: 'bench',
		placeholders: { workspaceFolder: folder, askInput: async () => undefined, environment: undefined },
	};
	const suites = new Map<number, Suite>();
	const readSuiteOf = async (rows: number) => {
		const suite = suites.get(rows) ?? (await createSuite(folder, rows));
		suites.set(rows, suite);
		return suite;
	};
	/** Runs requests in a loop, and reads each to its end. */
	const runLoop = async (
		runs: number,
		concurrency: number,
		start: (run: number) => AsyncIterable<{ readonly event: string; readonly data?: unknown }>,
	) => {
		let run = 0;
		const startRuns = async () => {
			while (run < runs) {
				let status: unknown;
				for await (const event of start(run++)) {
					status = event.event === 'workflow_finished' ? (event as { readonly data: { readonly status: string } }).data.status : undefined;
				}
				assert.equal(status, 'succeeded');
			}
		};
		await Promise.all(Array.from({ length: concurrency }, startRuns));
	};
	return {
		async runMatrix(rows, concurrency) {
			const suite = await readSuiteOf(rows);
			const matrix = { variants: [], target: suite.target!, baseline: 'now' };
			const options = { resultFile: path.join(folder, 'matrix.jsonl'), concurrency, variants };
			let passed = 0;
			for await (const event of runner.run({ ...suite, matrix }, { ...service, drafts: true }, options)) {
				passed += Number(event.type === 'result' && event.result.outcome === 'passed');
			}
			assert.equal(passed, rows * variants.length);
		},
		async runTextsWithoutSuite(rows, concurrency) {
			await runLoop(rows * variants.length, concurrency, run =>
				client.streamDraft({ model: 'five', inputs: {}, user: 'bench', source: variants[run % variants.length]!.source }),
			);
		},
		async runSuite(rows, concurrency) {
			const suite = await readSuiteOf(rows);
			let passed = 0;
			for await (const event of runner.run(suite, service, { resultFile: path.join(folder, 'results.jsonl'), concurrency })) {
				passed += Number(event.type === 'result' && event.result.outcome === 'passed');
			}
			assert.equal(passed, rows);
		},
		async runWithoutSuite(runs, concurrency) {
			await runLoop(runs, concurrency, () => client.streamWorkflow({ model: 'five', inputs: {}, user: 'bench' }));
		},
		async close() {
			await runner.close();
			await client.close();
		},
	};
}

async function createSuite(folder: string, rows: number): Promise<Suite> {
	const out = fs.createWriteStream(path.join(folder, `${rows}.csv`));
	out.write('id,text\n');
	for (let row = 1; row <= rows; row++) {
		out.write(`${row},"the text of row ${row}, which is as long as a short question"\n`);
	}
	await new Promise<void>((resolve, reject) => out.end(() => resolve()).once('error', reject));
	const text = JSON.stringify({
		model: 'five',
		dataset: { file: `./${rows}.csv`, name: '{{id}}', inputs: {}, expect: [{ status: 'succeeded' }, { steps: { min: 1 } }] },
	});
	const { suite, faults } = await readSuite(text, path.join(folder, `${rows}.suite.json`), {
		connection: 'bench',
		agents: undefined,
		root: folder,
		t: fillPlaceholders,
	});
	assert.deepEqual(faults, []);
	return suite!;
}
