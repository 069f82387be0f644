import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Log } from '#gateway/process/log.ts';
import { OpenFailure } from '#gateway/store/folder/openFailure.ts';
import { setStoreAside } from '#gateway/store/folder/storeFiles.ts';
import { Store } from '#gateway/store/store.ts';

const log = new Log('json', () => {});

describe('setting a store aside', () => {
	let folder: string;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'store-files-'));
		fs.mkdirSync(path.join(folder, 'uploads'));
		for (const name of ['gateway.db', 'gateway.db-wal', 'gateway.search.db', 'uploads/one']) {
			fs.writeFileSync(path.join(folder, name), `old ${name}`);
		}
	});
	afterEach(() => fs.rmSync(folder, { recursive: true }));

	const move = (name: string, aside: string) => fs.renameSync(path.join(folder, name), path.join(folder, aside, name));
	const listMoved = () =>
		fs.globSync('set-aside-*/**/*', { cwd: folder, withFileTypes: true }).flatMap(each => {
			const file = path.join(each.parentPath, each.name);
			return each.isFile() ? [`${path.relative(folder, file)}: ${fs.readFileSync(file, 'utf8')}`] : [];
		});
	const listExpected = (aside: string) =>
		['gateway.db', 'gateway.db-wal', 'gateway.search.db', 'uploads/one'].map(name => `${aside}/${name}: old ${name}`).sort();

	async function openStore(): Promise<void> {
		const store = new Store(folder, 0, log);
		await store.close();
	}

	it('moves all of it', () => {
		const aside = path.basename(setStoreAside(folder));
		assert.deepEqual(listMoved().sort(), listExpected(aside));
	});

	it('is finished before the next store is opened, if the process died in between', async () => {
		fs.mkdirSync(path.join(folder, 'set-aside-1.unfinished'));
		move('gateway.db', 'set-aside-1.unfinished');
		await openStore();
		assert.deepEqual(listMoved().sort(), listExpected('set-aside-1'));
		assert.notEqual(fs.readFileSync(path.join(folder, 'gateway.db'), 'utf8').slice(0, 3), 'old');
	});

	it("is finished by a later start if a file can't be moved, and no store is created until then", async () => {
		const obstacle = path.join(folder, 'set-aside-1.unfinished/gateway.search.db/x');
		fs.mkdirSync(obstacle, { recursive: true });
		const isExpected = (error: unknown) =>
			error instanceof OpenFailure && error.reason === 'store-failed' && error.file === path.join(folder, 'gateway.search.db');
		await assert.rejects(openStore(), isExpected);
		await assert.rejects(openStore(), isExpected);
		fs.rmSync(path.dirname(obstacle), { recursive: true });
		await openStore();
		assert.deepEqual(listMoved().sort(), listExpected('set-aside-1'));
	});

	it("doesn't overwrite what was moved with a store that was created after the interruption", async () => {
		fs.mkdirSync(path.join(folder, 'set-aside-1.unfinished'));
		fs.renameSync(path.join(folder, 'gateway.db'), path.join(folder, 'kept'));
		for (const name of ['gateway.db-wal', 'gateway.search.db', 'uploads']) {
			move(name, 'set-aside-1.unfinished');
		}
		await openStore();
		fs.renameSync(path.join(folder, 'set-aside-1'), path.join(folder, 'set-aside-1.unfinished'));
		fs.renameSync(path.join(folder, 'kept'), path.join(folder, 'set-aside-1.unfinished/gateway.db'));
		await openStore();
		assert.deepEqual(listMoved().sort(), listExpected('set-aside-1'));
		assert.ok(fs.existsSync(path.join(folder, 'gateway.db')));
	});
});
