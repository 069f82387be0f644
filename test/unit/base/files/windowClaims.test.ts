import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { WindowClaims } from '#base/files/windowClaims.ts';
import { WindowPresence } from '#base/files/windowPresence.ts';

describe('window claims', () => {
	let folder: string;
	const opened: WindowPresence[] = [];
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-claims-'));
	});
	afterEach(() => {
		for (const each of opened.splice(0)) {
			each.dispose();
		}
		fs.rmSync(folder, { recursive: true });
	});
	const openWindow = () => {
		const window = new WindowPresence(folder);
		opened.push(window);
		return { window, claims: new WindowClaims(path.join(folder, 'chats'), window) };
	};

	it('succeed for only one of several windows that claim an item concurrently', async () => {
		const windows = Array.from({ length: 10 }, openWindow);
		const won = await Promise.all(windows.map(({ claims }) => claims.claimItem('a')));
		assert.equal(won.filter(Boolean).length, 1);
	});

	it('last until they are released', async () => {
		const first = openWindow();
		const second = openWindow();
		assert.ok(await first.claims.claimItem('a'));
		assert.ok(await first.claims.claimItem('a'), 'its own');
		second.claims.releaseItem('a');
		assert.ok(!(await second.claims.claimItem('a')));
		first.claims.releaseItem('a');
		assert.ok(await second.claims.claimItem('a'));
	});

	it('of a closed window are taken over by only one window', async () => {
		const gone = openWindow();
		gone.claims.claimNewItem('a');
		gone.window.dispose();
		const windows = Array.from({ length: 10 }, openWindow);
		const won = await Promise.all(windows.map(({ claims }) => claims.claimItem('a')));
		assert.equal(won.filter(Boolean).length, 1);
	});

	it("stay if they can't be read", async () => {
		const file = path.join(folder, 'chats', 'a.owner');
		fs.mkdirSync(file, { recursive: true });
		await assert.rejects(openWindow().claims.claimItem('a'), { code: 'EISDIR' });
		assert.deepEqual(fs.readdirSync(path.dirname(file)), ['a.owner']);
	});
});
