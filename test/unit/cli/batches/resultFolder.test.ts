import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { ResultFolder } from '#cli/batches/resultFolder.ts';
import { SuiteFixture } from '../../suites/results/suiteFixture.ts';

describe('the folder of results', () => {
	it('gives each of several processes its own file, also while files are deleted', async () => {
		const fixture = new SuiteFixture();
		const suite = await fixture.readValidSuite({ model: 'a', cases: [{ name: 'one' }] });
		const folders = await Promise.all([1, 2, 3].map(() => ResultFolder.openFolder(path.join(fixture.folder, 'data'))));
		try {
			const first = await folders[0]!.openResultFile(suite, {});
			// is listed, but can't be read anymore
			fs.symlinkSync(path.join(fixture.folder, 'gone'), path.join(path.dirname(first), 'gone.jsonl'));
			const others = await Promise.all(folders.slice(1).map(folder => folder.openResultFile(suite, {})));
			assert.equal(new Set([first, ...others]).size, 3);
			assert.deepEqual(await folders[0]!.findChanges(first, {}), []);
		} finally {
			await Promise.all(folders.map(folder => folder.close()));
			await fixture.close();
		}
	});
});
