import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { chooseRun } from '#editor/runs/following/runChoice.ts';
import type { RunRecord } from '#runs/runTypes.ts';

describe('the choice of a run', () => {
	it('tells runs of an agent apart by their run files', async () => {
		const files = ['file:///w/runs/annual-report.run.json', 'file:///w/runs/$(x).run.jsonc', undefined];
		const records = files.map((file, at) => ({ key: `key-${at}`, agent: 'summarize', status: 'succeeded', startedAt: Date.now(), file }));
		let offered: readonly vscode.QuickPickItem[] = [];
		const { showQuickPick } = vscode.window;
		Reflect.set(vscode.window, 'showQuickPick', async (items: readonly vscode.QuickPickItem[]) => {
			offered = items;
			return items[1];
		});
		const runs = { list: () => records as unknown as RunRecord[] };
		const picked = await chooseRun(undefined, runs as never, () => true, 'none').finally(() =>
			Reflect.set(vscode.window, 'showQuickPick', showQuickPick),
		);
		assert.equal(picked?.key, 'key-1');
		assert.deepEqual(
			offered.map(({ description }) => description?.split(' · ').slice(2)),
			[['annual-report', 'key-0'], ['\\$(x)', 'key-1'], ['key-2']],
		);
	});
});
