import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runWithFileLock } from '#base/files/fileLock.ts';

describe('a file lock', () => {
	const { TMPDIR, TEMP } = process.env;
	let folder: string;
	let file: string;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'file-lock-'));
		file = path.join(folder, 'shared.yaml');
		// where locks are created
		process.env['TMPDIR'] = process.env['TEMP'] = path.join(folder, 'tmp');
		fs.mkdirSync(os.tmpdir());
	});
	afterEach(() => {
		for (const [name, value] of Object.entries({ TMPDIR, TEMP })) {
			if (value === undefined) {
				delete process.env[name];
			} else {
				process.env[name] = value;
			}
		}
		fs.rmSync(folder, { recursive: true, force: true });
	});

	const findLock = () => path.join(os.tmpdir(), fs.readdirSync(os.tmpdir())[0] ?? assert.fail());
	/** Makes a lock look as if its process had crashed a minute ago. */
	const makeOld = (lock: string) => fs.utimesSync(lock, Date.now() / 1000 - 60, Date.now() / 1000 - 60);

	/** Reads, changes and writes the file from several callers at once. Returns the content. */
	async function countUp(callers: number): Promise<number> {
		fs.writeFileSync(file, '0');
		const addOne = async () => {
			const before = Number(fs.readFileSync(file, 'utf8'));
			await new Promise(resolve => setTimeout(resolve, 1));
			fs.writeFileSync(file, String(before + 1));
		};
		await Promise.all(Array.from({ length: callers }, () => runWithFileLock(file, addOne)));
		return Number(fs.readFileSync(file, 'utf8'));
	}

	it('lets one caller at a time write, and leaves nothing', async () => {
		assert.equal(await countUp(20), 20);
		assert.deepEqual(fs.readdirSync(os.tmpdir()), []);
	});

	it('lets one caller at a time write, even if a crash has left a lock that several callers find', async () => {
		const lock = await runWithFileLock(file, async () => findLock());
		fs.mkdirSync(lock);
		makeOld(lock);
		assert.equal(await countUp(20), 20);
		assert.deepEqual(fs.readdirSync(os.tmpdir()), []);
	});

	it('lets one caller at a time write, even if a process has crashed while it removed such a lock', async () => {
		const lock = await runWithFileLock(file, async () => findLock());
		for (const each of [lock, `${lock}-removal`]) {
			fs.mkdirSync(each);
			makeOld(each);
		}
		assert.equal(await countUp(5), 5);
		assert.deepEqual(fs.readdirSync(os.tmpdir()), []);
	});

	it('is renewed while its work takes long, so that nobody else takes it for a left one', async () => {
		await runWithFileLock(file, async () => {
			const lock = findLock();
			makeOld(lock);
			while (Date.now() - fs.statSync(lock).mtimeMs > 30_000) {
				await new Promise(resolve => setTimeout(resolve, 50));
			}
		});
		assert.deepEqual(fs.readdirSync(os.tmpdir()), []);
	});
});
