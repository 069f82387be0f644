import assert from 'node:assert/strict';
import { renameFile } from '#base/files/renameFile.ts';

const fail = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));

describe('renaming a file', () => {
	/** Returns a rename that fails with these codes first, and the number of calls. */
	const createRename = (...codes: string[]) => {
		const calls = { count: 0 };
		const rename = async () => {
			const code = codes[calls.count++];
			return code === undefined ? undefined : fail(code);
		};
		return { calls, rename };
	};

	it('tries again on Windows while another program has the file open', async () => {
		const { calls, rename } = createRename('EPERM', 'EBUSY', 'EACCES');
		await renameFile('a', 'b', 'win32', rename);
		assert.equal(calls.count, 4);
	});

	it('gives up on Windows if the file stays open, or for another reason', async () => {
		const busy = createRename(...Array<string>(9).fill('EPERM'));
		await assert.rejects(renameFile('a', 'b', 'win32', busy.rename), { code: 'EPERM' });
		assert.equal(busy.calls.count, 5);
		const missing = createRename('ENOENT');
		await assert.rejects(renameFile('a', 'b', 'win32', missing.rename), { code: 'ENOENT' });
		assert.equal(missing.calls.count, 1);
	});

	it('tries once on other systems, where open files can be renamed', async () => {
		for (const platform of ['linux', 'darwin'] as const) {
			const { calls, rename } = createRename('EPERM');
			await assert.rejects(renameFile('a', 'b', platform, rename), { code: 'EPERM' });
			assert.equal(calls.count, 1);
		}
	});
});
