import fs from 'node:fs';
import path from 'node:path';
import { Log } from '../../../src/gateway/process/log.ts';
import { Database } from '../../../src/gateway/store/database.ts';
import { Retention } from '../../../src/gateway/store/retention.ts';
import { Store } from '../../../src/gateway/store/store.ts';
import { createEchoAgent } from '../../contract/gateway/agents.ts';
import { cleanUpGateways, createTemporaryFolder, startGateway } from '../../contract/gateway/gatewayProcess.ts';
import { computeMedian, measureWallMs } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { getFilledStore } from '../store/filledStore.ts';
import { runEchoes } from './gatewayCapacity.ts';

const recordedRuns = 2_000;
const filledRuns = 1_000_000;
const runsPerDay = 100_000;
const keptDays = 30;
/** Number of runs that the gateway deletes in one step, and the milliseconds until the next step (retention.ts). */
const step = { runs: 100, pauseMs: 10 };
const deletedSteps = 10;

/**
 * Measures the size of recorded runs on disk, and how fast old ones are deleted, both in a small store with events and among 1,000,000
 * runs without events. The slower of both counts for the deletion.
 */
export const storeGrowth: Measure = {
	name: 'store',
	measure: `size of a recorded run of 5 nodes with 1 KB of text, and of a row among ${filledRuns} runs with its search index; old runs deleted per hour`,
	unit: 'KB',
	limits: {
		'recorded run': { most: 40 },
		'run without events': { most: 4 },
		'deleted runs': { least: 10 * (runsPerDay / 24), unit: 'runs/h' },
	},
	async run(inRounds) {
		const filled = await getFilledStore(filledRuns);
		const rowBytes = [filled.file, filled.indexFile].reduce((sum, file) => sum + fs.statSync(file).size, 0) / filledRuns;
		const [newest, oldest] = [0, filledRuns - 20].map(offset =>
			Array.from({ length: 20 }, () => measurePageMs(() => filled.store.runs.getRunPage(filled.agent, undefined, offset, 20))),
		);
		const series = await inRounds({ warmUp: 0, rounds: 1 }, async () => {
			const recorded = await measureRecordedRuns();
			const among = await measureDeletion(filled.store, filled.file);
			return {
				values: {
					'recorded run': recorded.bytes / 1024,
					'run without events': rowBytes / 1024,
					'deleted runs': Math.min(recorded.deletedPerHour, among),
				},
			};
		});
		const { 'recorded run': recorded, 'run without events': row } = series.rounds[0]!.values as Record<string, number>;
		const describeGrowth = (name: string, kilobytes: number): string => {
			const perDay = (kilobytes * runsPerDay) / 1024 ** 2;
			return `${name}: ${perDay.toFixed(1)} GB a day, ${(perDay * 365).toFixed(0)} GB a year, ${(perDay * keptDays).toFixed(0)} GB if kept for ${keptDays} days`;
		};
		return {
			...series,
			notes: [
				`at ${runsPerDay} runs a day (${runsPerDay * 365} a year):`,
				describeGrowth('runs of 5 nodes with 1 KB of text', recorded!),
				describeGrowth('rows and search index alone', row!),
				`a page of 20 among ${filledRuns} runs: newest ${computeMedian(newest!).toFixed(2)} ms, oldest ${computeMedian(oldest!).toFixed(2)} ms`,
			],
		};
	},
};

/** Records runs in a real gateway; returns their size on disk, and how many of them would be deleted per hour. */
async function measureRecordedRuns(): Promise<{ readonly bytes: number; readonly deletedPerHour: number }> {
	const data = createTemporaryFolder();
	const gateway = await startGateway({ agents: { echo: createEchoAgent(3) }, data });
	await runEchoes(gateway, recordedRuns);
	await waitForIndex(() => gateway.send('GET', '/v1/agent/workflows/logs?model=echo&keyword=order%2C'));
	await gateway.endProcess();
	const store = new Store(data, 0, new Log('json', () => {}));
	try {
		const sizes = fs.readdirSync(data).map(name => fs.statSync(path.join(data, name)).size);
		const bytes = sizes.reduce((sum, size) => sum + size, 0) / recordedRuns;
		return { bytes, deletedPerHour: await measureDeletion(store, path.join(data, 'gateway.db')) };
	} finally {
		await store.close();
		await cleanUpGateways();
	}
}

/** The search finds all runs only when their index is complete. */
async function waitForIndex(search: () => Promise<{ readonly status: number; readonly text: string }>): Promise<void> {
	const { status, text } = await search();
	if (status !== 200) {
		throw new Error(`the runs could not be searched: ${text.slice(0, 500)}`);
	}
}

/** Deletes the oldest runs in the gateway's steps; returns the runs per hour if the gateway did nothing else. */
async function measureDeletion(store: Store, file: string): Promise<number> {
	const db = new Database(file, new Log('json', () => {}));
	const retention = new Retention(db, store, keptDays, new Log('json', () => {}));
	try {
		const times: number[] = [];
		for (let i = 0; i < deletedSteps; i++) {
			times.push(
				await measureWallMs(async () => {
					if (retention.deleteRuns(Date.now(), step.runs) !== step.runs) {
						throw new Error('there were too few runs to delete');
					}
				}),
			);
		}
		return (3_600_000 / (computeMedian(times) + step.pauseMs)) * step.runs;
	} finally {
		db.close();
	}
}

function measurePageMs(readPage: () => readonly unknown[]): number {
	const began = performance.now();
	if (readPage().length !== 20) {
		throw new Error('the page is not full');
	}
	return performance.now() - began;
}
