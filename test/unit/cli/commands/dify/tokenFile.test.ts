import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readTokens, writeToken } from '#cli/commands/dify/tokenFile.ts';

describe('the tokens of Dify servers', () => {
	let folder: string;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-tokens-'));
	});
	afterEach(() => fs.rmSync(folder, { recursive: true }));

	it('are all kept if commands sign in at the same time', async () => {
		const file = path.join(folder, 'config', 'dify-tokens.json');
		const origins = ['https://a.example', 'https://b.example', 'https://c.example'];
		await Promise.all(origins.map(origin => writeToken(file, origin, { token: origin })));
		assert.deepEqual(Object.keys(readTokens(file)).sort(), origins);
	});

	it('stay in the file that a link names', async function () {
		if (process.platform === 'win32') {
			this.skip();
		}
		const target = path.join(folder, 'target.json');
		const link = path.join(folder, 'dify-tokens.json');
		fs.writeFileSync(target, '{}', { mode: 0o600 });
		fs.symlinkSync(target, link);
		await writeToken(link, 'https://a.example', { token: 't' });
		assert.deepEqual(readTokens(target), { 'https://a.example': { token: 't' } });
		assert.equal(fs.statSync(target).mode & 0o777, 0o600);
	});
});
