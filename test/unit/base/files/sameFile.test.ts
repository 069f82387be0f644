import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isSameFile } from '#base/files/sameFile.ts';

describe('two paths', () => {
	it('are the same file if the system says so, for example in another letter case on macOS and Windows', async () => {
		const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-same-'));
		const [one, other, copy] = ['Agent.yml', 'agent.yml', 'copy.yml'].map(name => path.join(folder, name)) as [string, string, string];
		fs.writeFileSync(one, 'a');
		assert.equal(await isSameFile(one, other), fs.existsSync(other));
		if (!fs.existsSync(other)) {
			// the same file under both names, as on a system that ignores case
			fs.linkSync(one, other);
		}
		fs.writeFileSync(copy, 'a');
		assert.deepEqual([await isSameFile(one, other), await isSameFile(one, copy)], [true, false]);
		fs.rmSync(folder, { recursive: true });
	});
});
