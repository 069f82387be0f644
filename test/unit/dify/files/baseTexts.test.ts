import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { hashContent } from '#dify/content/contentHash.ts';
import { BaseTexts } from '#dify/files/baseTexts.ts';
import { appText } from '../syncedApp.ts';

describe('the texts that merges start from', () => {
	let folder: string;
	let bases: BaseTexts;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-bases-'));
		bases = new BaseTexts(path.join(folder, 'bases'));
	});
	afterEach(() => fs.rmSync(folder, { recursive: true }));
	const hash = hashContent(appText);

	it('are found by their content, in the format of the file', async () => {
		const text = `# mine\n${appText}`;
		await bases.saveBase(text, hash);
		assert.equal(await bases.readBase(hash), text);
		assert.equal(await bases.readBase('0'.repeat(64)), undefined);
	});

	it('are neither saved nor returned with another content', async () => {
		const other = appText.replace('template: Hello', 'template: Bonjour');
		await bases.saveBase(other, hash);
		await bases.saveBase('not an app', hash);
		assert.equal(await bases.readBase(hash), undefined);
		await bases.saveBase(appText, hash);
		fs.writeFileSync(path.join(folder, 'bases', `${hash}.base`), other);
		assert.equal(await bases.readBase(hash), undefined);
	});

	it('are deleted from the oldest on if there are more than 200', async () => {
		for (let count = 0; count < 201; count++) {
			const text = appText.replace('template: Hello', `template: Hello ${count}`);
			await bases.saveBase(text, hashContent(text));
			fs.utimesSync(path.join(folder, 'bases', `${hashContent(text)}.base`), count, count);
		}
		assert.equal(fs.readdirSync(path.join(folder, 'bases')).length, 200);
		assert.equal(await bases.readBase(hashContent(appText.replace('template: Hello', 'template: Hello 0'))), undefined);
	});
});
