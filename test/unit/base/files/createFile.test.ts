import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createFileAtomically } from '#base/files/createFile.ts';

describe('creating a file', () => {
	let folder: string;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-create-'));
	});
	afterEach(() => fs.rmSync(folder, { recursive: true }));

	it('leaves nothing if the text is not written completely, like on a full disk', function () {
		if (process.platform === 'win32') {
			this.skip();
		}
		const script = `
			import { createFileAtomically } from '#base/files/createFile.ts';
			process.on('SIGXFSZ', () => {});
			await createFileAtomically(process.argv[1], 'x'.repeat(1_000_000)).catch(error => console.log(error.code));`;
		// the limit of the shell for the size of a file
		const command = 'ulimit -f 100 && exec "$0" --input-type=module -e "$1" "$2"';
		const file = path.join(folder, 'agents', 'new.yml');
		const { stdout, stderr } = spawnSync('sh', ['-c', command, process.execPath, script, file], { encoding: 'utf8' });
		assert.deepEqual([stdout, fs.readdirSync(path.dirname(file))], ['EFBIG\n', []], stderr);
	});

	it('creates the file once on file systems without hard links', async () => {
		const file = path.join(folder, 'a');
		for (const code of ['EPERM', 'ENOTSUP', 'ENOSYS']) {
			fs.rmSync(file, { force: true });
			const link = () => Promise.reject(Object.assign(new Error(code), { code }));
			const created = await Promise.all(['one', 'two'].map(text => createFileAtomically(file, text, 0o600, 0o700, link)));
			assert.deepEqual(created.toSorted(), [false, true]);
			assert.deepEqual(fs.readdirSync(folder), ['a']);
		}
	});
});
