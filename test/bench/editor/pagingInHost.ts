import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { ConnectionsUnderTest } from '../../support/editor/connectionsUnderTest.ts';
import { TreeUnderTest } from '../../support/editor/treeUnderTest.ts';
import { measureHeapInUse } from './heapInUse.ts';
import type { PagingFigures } from './inWindow.ts';

/** Number of pages after which the tree's window on the list is full, and code and caches are warm. */
const filled = 50;
const pages = 200;

/** Pages through a log of 15,000 runs in the built-in gateway, and measures this process's heap before and after 200 pages. */
export async function measurePaging(): Promise<PagingFigures> {
	const window = new ConnectionsUnderTest();
	const program = path.join(process.env['AGENT_WORKBENCH_BENCH_ROOT'] ?? '', 'test/host/support/writeRuns.ts');
	await promisify(execFile)(process.execPath, [program, window.dataFolder, 'summarize', '15000'], {
		env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
	});
	const tree = new TreeUnderTest(window);
	const logs = await tree.findRow('Built-in gateway', 'summarize', 'Logs');
	await tree.tree.getChildren(logs.node);
	const { rows } = logs.node as unknown as { rows: { loadNextPage(): Promise<unknown>; hasMore: boolean } };
	const loadMorePages = async (count: number) => {
		for (let page = 0; page < count; page++) {
			if (!rows.hasMore) {
				throw new Error(`the log ended after ${page} pages`);
			}
			await rows.loadNextPage();
			await tree.tree.getChildren(logs.node);
		}
		window.log.lines.length = 0;
		return measureHeapInUse();
	};
	const before = await loadMorePages(filled);
	const after = await loadMorePages(pages);
	tree.dispose();
	await window.dispose();
	return { before, after };
}
