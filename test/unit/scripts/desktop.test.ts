import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { getDesktopVersion } from '../../../scripts/lib/desktop.ts';
import { root } from '../../../scripts/lib/paths.ts';

describe('the desktop VS Code for tests', () => {
	it('is the stable one by default, or the one that is asked for', () => {
		assert.deepEqual([getDesktopVersion(), getDesktopVersion(''), getDesktopVersion('insiders')], ['stable', 'stable', 'insiders']);
	});

	it('is for `oldest` the version whose API the extension is compiled with', () => {
		const { version } = JSON.parse(fs.readFileSync(path.join(root, 'node_modules/@types/vscode/package.json'), 'utf8'));
		assert.equal(getDesktopVersion('oldest'), version);
	});
});
