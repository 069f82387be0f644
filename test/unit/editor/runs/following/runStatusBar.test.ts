import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { toOneLine } from '#editor/platform/wording.ts';
import { RunStatusBar } from '#editor/runs/following/runStatusBar.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';

/** Returns the status bar item for the given runs. */
function getShownItem(records: readonly Partial<RunRecord>[]): { text: string; tooltip: string; command: vscode.Command | undefined } {
	const item = { text: '', tooltip: '', command: undefined, show() {}, hide() {}, dispose() {} };
	const { createStatusBarItem } = vscode.window;
	const changed = new vscode.EventEmitter<RunRecord>();
	const list = records as readonly RunRecord[];
	const runs = {
		list: () => list,
		get: (key: string) => list.find(each => each.key === key),
		onDidChange: changed.event,
		onDidRemove: () => ({ dispose() {} }),
	};
	Object.assign(vscode.window, { createStatusBarItem: () => item });
	try {
		const bar = new RunStatusBar(runs as unknown as Runs);
		for (const record of list) {
			changed.fire(record);
		}
		bar.dispose();
	} finally {
		Object.assign(vscode.window, { createStatusBarItem });
	}
	return item;
}

const hostile = '$(error) \u202egnp.exe\u0007\u001b[31m\u2028second line';

describe('runs in the status bar', () => {
	it('show no icons, direction marks or line breaks from agent names and errors', () => {
		for (const status of ['running', 'failed', 'paused', 'constructor']) {
			const { text, tooltip } = getShownItem([
				{ key: 'k', agent: hostile, status, error: hostile, startedAt: Date.now(), elapsedSeconds: 1 },
			]);
			assert.match(text, /^\$\((sync~spin|error|debug-pause|circle-outline)\) \\\$\(error\) gnp\.exe\[31m/);
			assert.doesNotMatch(text, /second|[\u202e\u0007\u001b\u2028]/);
			assert.doesNotMatch(String((tooltip as unknown as vscode.MarkdownString).value ?? ''), /[\u202e\u0007\u001b\u2028]/);
		}
	});

	it('name their node and can be stopped in the tooltip', () => {
		const run = { key: 'a', agent: 'slow', status: 'running', startedAt: Date.now(), node: { index: 3, title: 'Wait [here](x)' } } as const;
		const { tooltip } = getShownItem([run]);
		assert.match((tooltip as unknown as vscode.MarkdownString).value, /^node 3 · Wait \\\[here\\\]/);
		assert.deepEqual(listStopTargets(tooltip), [['a']]);
		// a parenthesis would end the link
		const key = "c/(a)'b'*!)";
		assert.deepEqual(listStopTargets(getShownItem([{ ...run, key }]).tooltip), [[key]]);
	});

	it('are shown by name and inspected on click if there is one, and counted if there are several', () => {
		const createRun = (key: string, status: string) => ({ key, agent: `agent-${key}`, status, startedAt: Date.now() });
		assert.deepEqual(getShownItem([createRun('a', 'running')]).command?.arguments, ['a']);
		const several = getShownItem([createRun('a', 'running'), createRun('b', 'starting'), createRun('c', 'paused')]);
		assert.deepEqual([/^\$\(sync~spin\) 2 runs/.test(several.text), several.command?.arguments], [true, undefined]);
		assert.deepEqual(listStopTargets(several.tooltip), [[]]);
		assert.match(getShownItem(Array.from({ length: 500 }, (_, place) => createRun(String(place), 'running'))).text, /500 runs/);
	});
});

/** Returns the arguments of the links in a tooltip that stop runs. */
function listStopTargets(tooltip: unknown): unknown[] {
	const { value } = tooltip as vscode.MarkdownString;
	return [...value.matchAll(/\(command:agentWorkbench\.run\.stop\?([^)]*)\)/g)].map(([, given = '']) =>
		JSON.parse(decodeURIComponent(given)),
	);
}

describe('a text converted to one line', () => {
	it('is its first line without invisible characters', () => {
		for (const end of ['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029']) {
			assert.equal(toOneLine(`first\tword\0${end}second`), 'first word');
		}
		assert.equal(toOneLine('x'.repeat(1_000_000)).length, 80);
	});
});
