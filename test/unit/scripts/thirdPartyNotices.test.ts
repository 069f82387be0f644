import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { makeTempFolder, removeFolder } from '../../../scripts/lib/tempFolder.ts';
import { createThirdPartyNotices } from '../../../scripts/lib/thirdPartyNotices.ts';

describe('the third-party notices of the package', () => {
	let root: string;
	beforeEach(() => {
		root = makeTempFolder();
	});
	afterEach(() => removeFolder(root));

	function install(name: string, license: string, files: Record<string, string> = {}): void {
		const folder = path.join(root, 'node_modules', name);
		fs.mkdirSync(folder, { recursive: true });
		fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name, version: '1.2.3', license, author: 'Ana' }));
		for (const [file, text] of Object.entries(files)) {
			fs.writeFileSync(path.join(folder, file), text);
		}
	}

	it('list each package once, with the text of its license', () => {
		install('@scope/a', 'MIT', { LICENSE: 'Do as you like.' });
		const text = createThirdPartyNotices(root, ['src/x.ts', 'node_modules/@scope/a/lib/one.js', 'node_modules/@scope/a/two.js']);
		assert.equal(text.match(/^@scope\/a 1\.2\.3 \(MIT\)\n\nDo as you like\.$/gm)?.length, 1);
	});

	it('list a package inside another one', () => {
		install('a/node_modules/b', 'MIT');
		assert.match(createThirdPartyNotices(root, ['node_modules/a/node_modules/b/index.js']), /b 1\.2\.3 \(MIT\)\nCopyright Ana\n/);
	});

	it('list a package once, even if node_modules is a link', () => {
		install('a', 'MIT');
		const text = createThirdPartyNotices(root, ['node_modules/a/one.js', '../main/node_modules/a/two.js']);
		assert.equal(text.match(/^a 1\.2\.3/gm)?.length, 1);
	});

	it('contain the standard text of a license that a package only names', () => {
		install('a', 'MIT');
		install('b', 'Apache-2.0', { LICENSE: 'Licensed under the Apache License, Version 2.0' });
		const text = createThirdPartyNotices(root, ['node_modules/a/index.js', 'node_modules/b/index.js']);
		assert.match(text, /Copyright Ana\n\nPermission is hereby granted/);
		assert.match(text, /Version 2\.0\n\n\s*Apache License/);
		install('c', 'ISC');
		assert.throws(() => createThirdPartyNotices(root, ['node_modules/c/index.js']), /c doesn't contain the text of its license 'ISC'/);
	});

	it('accept one of several licenses that a package offers', () => {
		install('a', '(MPL-2.0 OR Apache-2.0)');
		assert.match(createThirdPartyNotices(root, ['node_modules/a/index.js']), /^a 1\.2\.3 \(MPL-2\.0 OR Apache-2\.0\)$/m);
	});

	it("are refused for a license that isn't allowed", () => {
		install('a', 'AGPL-3.0');
		assert.throws(() => createThirdPartyNotices(root, ['node_modules/a/index.js']), /a has the license 'AGPL-3\.0'/);
		install('b', 'MIT AND GPL-3.0');
		assert.throws(() => createThirdPartyNotices(root, ['node_modules/b/index.js']), /b has the license 'MIT AND GPL-3\.0'/);
	});
});
