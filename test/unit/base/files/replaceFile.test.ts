import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { replaceFile, replaceNamedFile } from '#base/files/replaceFile.ts';

describe('replacing files', () => {
	let folder: string;
	let file: string;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-replace-'));
		file = path.join(folder, 'a.yml');
		fs.writeFileSync(file, 'before');
	});
	afterEach(() => fs.rmSync(folder, { recursive: true }));

	it('keeps the mode of the file, also bits that new files lack', async function () {
		if (process.platform === 'win32') {
			this.skip();
		}
		fs.chmodSync(file, 0o664);
		await replaceFile(file, 'after');
		assert.equal(fs.statSync(file).mode & 0o777, 0o664);
		fs.chmodSync(file, 0o600);
		await replaceFile(file, 'after');
		assert.equal(fs.statSync(file).mode & 0o777, 0o600);
		await replaceFile(path.join(folder, 'new'), '', 0o600);
		assert.equal(fs.statSync(path.join(folder, 'new')).mode & 0o777, 0o600);
	});

	it('leaves the file as it was if writing fails in the middle', async () => {
		const written = replaceFile(file, async handle => {
			await handle.appendFile('aft');
			throw new Error('full');
		});
		await assert.rejects(written, /full/);
		assert.equal(fs.readFileSync(file, 'utf8'), 'before');
		assert.deepEqual(fs.readdirSync(folder), ['a.yml']);
	});

	it('replaces a link, unless the user named it', async () => {
		const target = path.join(folder, 'target');
		fs.writeFileSync(target, 'before');
		const link = path.join(folder, 'link');
		fs.symlinkSync(target, link);
		await replaceNamedFile(link, 'named');
		assert.ok(fs.lstatSync(link).isSymbolicLink());
		assert.equal(fs.readFileSync(target, 'utf8'), 'named');
		await replaceFile(link, 'checked');
		assert.ok(fs.lstatSync(link).isFile());
		assert.equal(fs.readFileSync(target, 'utf8'), 'named');
	});
});
