import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { ConnectionsUnderTest } from '../../support/editor/connectionsUnderTest.ts';
import { TreeUnderTest } from '../../support/editor/treeUnderTest.ts';
import { collectGarbage } from '../support/collectGarbage.ts';

/** The budget requires AGENT_WORKBENCH_TEST_RUNS=100000, but writing that many takes half a minute. */
const runs = Number(process.env['AGENT_WORKBENCH_TEST_RUNS'] ?? 10_000);
const pageSize = 50;

describe(`a log of ${runs.toLocaleString('en')} runs`, () => {
	let window: ConnectionsUnderTest;
	let tree: TreeUnderTest;
	before(async () => {
		window = new ConnectionsUnderTest();
		await writeRuns(window.dataFolder, 'summarize');
		tree = new TreeUnderTest(window);
	});
	after(async () => {
		tree.dispose();
		await window.dispose();
	});

	it('is paged through to its end in constant memory', async () => {
		const logs = await tree.findRow('Built-in gateway', 'summarize', 'Logs');
		const first = await measureDuration(() => tree.tree.getChildren(logs.node));
		const pages = (logs.node as unknown as { rows: { loadNextPage(): Promise<unknown>; hasMore: boolean } }).rows;
		const times: number[] = [];
		const loadPage = async () => {
			times.push((await measureDuration(async () => pages.loadNextPage().then(() => tree.tree.getChildren(logs.node)))).ms);
		};
		// the list's window is full after ten pages: memory used until then doesn't count as growth
		for (let page = 1; page < 20; page++) {
			await loadPage();
		}
		const heaps = [measureHeapBytes()];
		while (pages.hasMore) {
			await loadPage();
			if (times.length % 50 === 49) {
				window.log.lines.length = 0;
				heaps.push(measureHeapBytes());
			}
		}
		const shown = heaps.filter((_, n) => n % Math.ceil(heaps.length / 5) === 0).map(bytes => (bytes / 1e6).toFixed(1));
		// the first pages also load code and fill caches: after a quarter of the pages nothing may grow
		const grown = heaps.at(-1)! - heaps[Math.floor(heaps.length / 4)]!;
		assert.equal(times.length, runs / pageSize - 1, 'pages');
		const rows = await tree.tree.getChildren(logs.node);
		assert.equal(rows.length, 501);
		const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
		console.log(
			`[test]     first page ${first.ms.toFixed(1)} ms, each next p95 ${p95.toFixed(1)} ms, heap ${shown.join(', ')} MB over ${times.length} pages`,
		);
		// allows for other code in this host, but is less than all rows since then would need
		assert.ok(grown < 3 * 1024 * 1024, `${grown} bytes more`);
	});

	it('is searched and filtered', async () => {
		const logs = await tree.findRow('Built-in gateway', 'summarize', 'Logs');
		const { log } = logs.node as unknown as { log: { setFilter(filter: object): void } };
		for (const filter of [{ status: 'failed' }, { keyword: 'number 99999' }, { status: 'succeeded', keyword: 'run' }]) {
			log.setFilter(filter);
			assert.ok((await tree.tree.getChildren(logs.node)).length >= 1, JSON.stringify(filter));
		}
	});
});

/** Runs from source in a separate process, because the store starts a thread that no test bundle contains. */
async function writeRuns(dataFolder: string, agent: string): Promise<void> {
	const program = path.resolve(__dirname, '../../../../test/host/support/writeRuns.ts');
	const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
	await promisify(execFile)(process.execPath, [program, dataFolder, agent, String(runs)], { env });
}

async function measureDuration<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
	const start = performance.now();
	const value = await work();
	return { ms: performance.now() - start, value };
}

/** Returns the bytes in use after a garbage collection. */
function measureHeapBytes(): number {
	collectGarbage();
	return process.memoryUsage().heapUsed;
}
