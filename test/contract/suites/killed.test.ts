import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { readResults } from '#suites/results/resultFile.ts';
import { createTemplateChain } from '../../bench/engine/agents.ts';
import { cleanUpGateways, createTemporaryFolder, type GatewayProcess, startGateway } from '../gateway/gatewayProcess.ts';

const program = path.join(import.meta.dirname, 'killedBatch.ts');
const rows = 60;

describe('a batch whose process is killed', () => {
	let gateway: GatewayProcess;

	before(async () => {
		gateway = await startGateway({ agents: { five: createTemplateChain(3) } });
	});
	after(cleanUpGateways);

	it('stores each reported result, resumes after the last one and counts no row twice', async () => {
		const folder = createTemporaryFolder();
		fs.writeFileSync(path.join(folder, 'rows.csv'), `id\n${Array.from({ length: rows }, (_, at) => `r${at}\n`).join('')}`);
		fs.writeFileSync(
			path.join(folder, 'rows.suite.json'),
			JSON.stringify({ model: 'five', dataset: { file: './rows.csv', name: '{{id}}', inputs: {} }, concurrency: 4 }),
		);
		const reported = new Set<number>();
		for (const until of [7, 12]) {
			const child = startBatch(folder, reported.size > 0);
			let came = 0;
			for await (const line of createInterface({ input: child.stdout })) {
				if (!line.startsWith('{')) {
					reported.add(Number(line));
					if (++came === until) {
						child.kill('SIGKILL');
					}
				}
			}
			const kept: number[] = [];
			for await (const { ordinal } of readResults(path.join(folder, 'results.jsonl'))) {
				kept.push(ordinal);
			}
			assert.deepEqual(
				[...reported].filter(ordinal => !kept.includes(ordinal)),
				[],
			);
			assert.equal(new Set(kept).size, kept.length);
		}
		const last = startBatch(folder, true);
		let summary: { readonly cases: number; readonly passed: number; readonly takenUp: number } | undefined;
		const ended = once(last, 'close');
		for await (const line of createInterface({ input: last.stdout })) {
			if (line.startsWith('{')) {
				summary = JSON.parse(line);
			}
		}
		await ended;
		assert.deepEqual([summary?.cases, summary?.passed], [rows, rows]);
		assert.ok(summary!.takenUp >= reported.size);
		const ordinals: number[] = [];
		for await (const { ordinal } of readResults(path.join(folder, 'results.jsonl'))) {
			ordinals.push(ordinal);
		}
		assert.deepEqual(
			ordinals.sort((a, b) => a - b),
			Array.from({ length: rows }, (_, at) => at),
		);
	});

	function startBatch(folder: string, resume: boolean): ChildProcessByStdio<null, Readable, null> {
		const args = [program, folder, gateway.baseUrl, gateway.apiKey, ...(resume ? ['resume'] : [])];
		return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
	}
});
