import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { findFiles } from '#cli/foundFiles.ts';
import { makeTempFolder, removeFolder } from '../../../scripts/lib/tempFolder.ts';

describe('finding files by paths and globs', () => {
	const folder = makeTempFolder();
	after(() => removeFolder(folder));

	it("skips links to themselves, and reads a long glob that can't be a path", () => {
		const suite = path.join(folder, 'a.suite.json');
		fs.writeFileSync(suite, '{}');
		fs.symlinkSync('loop.suite.json', path.join(folder, 'loop.suite.json'));
		assert.deepEqual(findFiles([folder], '*.suite.json'), [suite]);
		assert.deepEqual(findFiles([path.join(folder, `{a,${'x'.repeat(300)}}.suite.json`)]), [suite]);
	});
});
