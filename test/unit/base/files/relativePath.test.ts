import assert from 'node:assert/strict';
import path from 'node:path';
import { formatRelativePath } from '#base/files/relativePath.ts';

describe('paths in reports', () => {
	it('have slashes on every system', () => {
		assert.equal(formatRelativePath('/work/agents/a.yml', '/work', path.posix), 'agents/a.yml');
		assert.equal(formatRelativePath('C:\\work\\agents\\a.yml', 'C:\\Work', path.win32), 'agents/a.yml');
		assert.equal(formatRelativePath('D:\\other\\a.yml', 'C:\\work', path.win32), 'D:/other/a.yml');
	});

	it('keep a backslash in a name on systems that allow it', () => {
		assert.equal(formatRelativePath('/work/a\\b.yml', '/work', path.posix), 'a\\b.yml');
	});
});
