import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { WindowPresence } from '#base/files/windowPresence.ts';

describe('a window without a recent heartbeat', () => {
	const beatMs = 15_000;
	let folder: string;
	let opened: WindowPresence[];
	const openWindow = () => {
		opened.push(new WindowPresence(folder));
		return opened.at(-1)!;
	};
	const writeOldPresence = (content: object) => {
		const file = path.join(folder, 'windows', 'other');
		fs.mkdirSync(path.dirname(file));
		fs.writeFileSync(file, JSON.stringify({ pid: process.pid, host: os.hostname(), ...content }));
		fs.utimesSync(file, 0, 0);
	};
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-presence-'));
		opened = [];
	});
	afterEach(() => {
		for (const each of opened) {
			each.dispose();
		}
		mock.timers.reset();
		fs.rmSync(folder, { recursive: true });
	});

	it('is open while its process runs, for example after this machine was suspended', () => {
		const other = openWindow();
		other.announceWindow();
		fs.utimesSync(path.join(folder, 'windows', other.name), 0, 0);
		assert.ok(openWindow().isWindowOpen(other.name));
		other.dispose();
		assert.ok(!openWindow().isWindowOpen(other.name));
	});

	it('is closed if another process has its process ID now', () => {
		writeOldPresence({ started: 'long ago' });
		assert.ok(!openWindow().isWindowOpen('other'));
	});

	it("is closed once this machine was awake long enough for a heartbeat, if the system doesn't tell processes apart", () => {
		mock.timers.enable({ apis: ['setInterval', 'Date'], now: 1e12 });
		writeOldPresence({});
		const window = openWindow();
		assert.ok(window.isWindowOpen('other'));
		mock.timers.tick(10 * beatMs);
		assert.ok(!window.isWindowOpen('other'));
		mock.timers.setTime(1e12 + 3_600_000);
		assert.ok(window.isWindowOpen('other'), 'before the first heartbeat after a suspend');
	});

	it("is open if that can't be read", () => {
		fs.mkdirSync(path.join(folder, 'windows', 'other'), { recursive: true });
		assert.ok(openWindow().isWindowOpen('other'));
	});
});
