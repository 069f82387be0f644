import assert from 'node:assert/strict';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import { ElapsedTime } from '#editor/explorer/elapsedTime.ts';

describe('the times in the tree', () => {
	const shown = new vscode.EventEmitter<{ visible: boolean }>();
	const changed = new vscode.EventEmitter<object>();
	const view = { visible: true, onDidChangeVisibility: shown.event };
	let status: string;
	let refreshed: boolean[];
	let time: ElapsedTime;
	const setVisible = (visible: boolean) => {
		view.visible = visible;
		shown.fire({ visible });
	};
	beforeEach(() => {
		mock.timers.enable({ apis: ['setInterval'] });
		status = 'succeeded';
		refreshed = [];
		view.visible = true;
		const runs = { list: () => [{ status }], onDidChange: changed.event };
		time = new ElapsedTime(view as never, runs as never, all => refreshed.push(all));
	});
	afterEach(() => {
		time.dispose();
		mock.timers.reset();
	});

	it('are updated every second while a run is active, and every minute afterwards', () => {
		status = 'running';
		changed.fire({});
		mock.timers.tick(3000);
		assert.deepEqual(refreshed, [false, false, false]);
		status = 'succeeded';
		changed.fire({});
		mock.timers.tick(57_000);
		assert.deepEqual(refreshed, [false, false, false, true]);
	});

	it("aren't updated while the view is hidden, but when it's shown again", () => {
		setVisible(false);
		mock.timers.tick(300_000);
		assert.deepEqual(refreshed, []);
		setVisible(true);
		assert.deepEqual(refreshed, [true]);
	});
});
