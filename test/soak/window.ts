import { computeMedian } from '../bench/harness/contest.ts';
import { openWorkbench } from '../ui/driver/session.ts';
import type { Workbench } from '../ui/driver/workbench.ts';
import type { Outcome } from './outcome.ts';
import { runUserRound } from './round.ts';
import { pickTenths, readMemory, Table } from './table.ts';

/** Number of failed rounds after which the soak ends early. */
const failureLimit = 5;

/** Chromium's metrics of the page after a garbage collection; webviews of the window are frames of it. */
interface PageSample {
	readonly heap: number;
	readonly nodes: number;
	readonly listeners: number;
	readonly documents: number;
}

/**
 * Simulates a user round after round, in a window with the built-in gateway. Its extension host and gateway write to `figures` with the
 * module `probe`.
 */
export async function runWindowSoak(durationMs: number, figures: string, probe: string): Promise<Outcome> {
	const { workbench, close } = await openWorkbench({ server: { environment: { SOAK_FIGURES: figures }, preload: [probe] } });
	const pages: PageSample[] = [];
	const seconds: number[] = [];
	const failures: string[] = [];
	try {
		const sample = await createPageSampler(workbench);
		const end = Date.now() + durationMs;
		for (let i = 0; Date.now() < end && failures.length < failureLimit; i++) {
			const from = performance.now();
			try {
				await runUserRound(workbench, i);
				seconds.push((performance.now() - from) / 1000);
			} catch (error) {
				failures.push(`round ${i}: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`);
				await workbench.saveScreenshot(`soak-failed-${i}`);
				await workbench.page.keyboard.press('Escape');
			}
			pages.push(await sample());
		}
	} finally {
		await close();
	}
	return { what: `window: ${seconds.length} rounds`, table: judgeAllMetrics(figures, pages, seconds), failures };
}

async function createPageSampler({ page }: Workbench): Promise<() => Promise<PageSample>> {
	const session = await page.context().newCDPSession(page);
	await session.send('Performance.enable');
	return async () => {
		await session.send('HeapProfiler.collectGarbage');
		const { metrics } = await session.send('Performance.getMetrics');
		const getMetric = (name: string) => metrics.find(each => each.name === name)?.value ?? Number.NaN;
		return {
			heap: getMetric('JSHeapUsedSize'),
			nodes: getMetric('Nodes'),
			listeners: getMetric('JSEventListeners'),
			documents: getMetric('Documents'),
		};
	};
}

function judgeAllMetrics(figures: string, pages: readonly PageSample[], seconds: readonly number[]): Table {
	const table = new Table();
	for (const role of ['extension host', 'gateway']) {
		const { early, late } = pickTenths(readMemory(figures, role));
		table.judgeMemory(` of the ${role}`, early, late);
	}
	const { early, late } = pickTenths(pages);
	const computeMetricMedian = (samples: readonly PageSample[], key: keyof PageSample) => computeMedian(samples.map(each => each[key]));
	const judgePageMetric = (name: string, key: keyof PageSample, noise: number) =>
		table.judgeMetric(name, '', computeMetricMedian(early, key), computeMetricMedian(late, key), { factor: 1.1, noise });
	table.judgeMetric(
		'heap of the page after garbage collection',
		'MB',
		computeMetricMedian(early, 'heap') / 1_048_576,
		computeMetricMedian(late, 'heap') / 1_048_576,
		{
			factor: 1.1,
			noise: 12,
		},
	);
	judgePageMetric('DOM nodes of the page', 'nodes', 2_000);
	judgePageMetric('event listeners of the page', 'listeners', 500);
	judgePageMetric('documents of the page', 'documents', 4);
	const times = pickTenths(seconds);
	table.judgeMetric('a round', 's', computeMedian(times.early), computeMedian(times.late), { factor: 1.5, noise: 5 });
	return table;
}
