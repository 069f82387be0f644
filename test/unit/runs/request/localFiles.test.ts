import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readLocalText } from '#runs/request/localFiles.ts';
import { english } from '../../../support/english.ts';

describe('local files of a run file', () => {
	let outside: string;
	let root: string;
	let folder: string;
	const readFileText = (reference: string, limit?: number) => readLocalText(reference, { folder, root }, english, limit);

	before(() => {
		outside = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-local-'));
		root = path.join(outside, 'work');
		folder = path.join(root, 'runs');
		fs.mkdirSync(folder, { recursive: true });
		fs.writeFileSync(path.join(outside, 'secret.txt'), 'secret');
		fs.writeFileSync(path.join(root, 'a.md'), 'Zoë');
		fs.writeFileSync(path.join(folder, 'latin1.txt'), Buffer.from([0x5a, 0x6f, 0xeb]));
		fs.symlinkSync(path.join(outside, 'secret.txt'), path.join(folder, 'link.txt'));
		fs.symlinkSync(outside, path.join(folder, 'up'));
		fs.mkdirSync(path.join(outside, 'work-too'));
		fs.writeFileSync(path.join(outside, 'work-too', 'b.txt'), 'other folder');
	});
	after(() => fs.rmSync(outside, { recursive: true, force: true }));

	it('are read as UTF-8 from anywhere in the workspace folder', async () => {
		assert.equal(await readFileText('../a.md'), 'Zoë');
		assert.equal(await readFileText(path.join(root, 'a.md')), 'Zoë');
	});

	for (const reference of ['../../secret.txt', 'link.txt', 'up/secret.txt', '../../work-too/b.txt', '/etc/passwd', '..', '../']) {
		it(`are refused outside the workspace folder: ${reference}`, () =>
			assert.rejects(readFileText(reference), {
				name: 'RunFileValueError',
				message: `'${reference}' is outside the workspace folder. Expected a file inside it.`,
			}));
	}

	it('are refused with a reason if they are missing, too large, not text or not regular files', async () => {
		await assert.rejects(readFileText('none.txt'), { message: "Couldn't read 'none.txt': no such file" });
		await assert.rejects(readFileText('../a.md', 3), { message: /^'\.\.\/a\.md' is too large \(0\.0 MB\)\. Expected at most/ });
		await assert.rejects(readFileText('latin1.txt'), { message: "'latin1.txt' isn't UTF-8 text. Expected a text file." });
		await assert.rejects(readFileText('../runs/'), { message: "'../runs/' isn't a file." });
	});

	it('are refused without blocking if they are pipes', async function () {
		if (process.platform === 'win32') {
			this.skip();
		}
		execFileSync('mkfifo', [path.join(folder, 'pipe')]);
		await assert.rejects(readFileText('pipe'), { message: "'pipe' isn't a file." });
	});
});
