import assert from 'node:assert/strict';
import { isOpenToOthers } from '#base/files/privateMode.ts';

describe("a file's mode", () => {
	it('says that others can use the file, except on Windows, where all files have such a mode', () => {
		assert.deepEqual(
			[0o100600, 0o100700, 0o100640, 0o100604, 0o100666].map(mode => isOpenToOthers(mode, 'linux')),
			[false, false, true, true, true],
		);
		assert.equal(isOpenToOthers(0o100666, 'darwin'), true);
		assert.equal(isOpenToOthers(0o100666, 'win32'), false);
	});
});
