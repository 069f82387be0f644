import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { readSmallFile } from '#editor/platform/smallFile.ts';
import { readAgentsOfRunFiles } from '#editor/runs/files/runFileSearch.ts';
import { makeTempFolder, removeFolder } from '../../../../scripts/lib/tempFolder.ts';

describe('files that are read without being asked for', () => {
	const folder = makeTempFolder();
	after(() => removeFolder(folder));
	const createFile = (name: string, text: string, size = text.length) => {
		const file = path.join(folder, name);
		fs.writeFileSync(file, text);
		fs.truncateSync(file, size);
		return vscode.Uri.file(file);
	};

	// dozens of megabytes of JSON take gigabytes of memory, and several files are read at once
	it("aren't read if they are too large", async () => {
		const large = createFile('large.run.json', '{"model":"a"}', 17_000_000);
		await assert.rejects(readSmallFile(large), { reason: 'too-large' });
		assert.deepEqual(await readAgentsOfRunFiles([large]), []);
	});

	it("aren't read if they are no files, such as a link to a device that never ends", async () => {
		await assert.rejects(readSmallFile(vscode.Uri.file(folder)), { reason: 'too-large' });
	});

	it('are searched for their agent instead of parsed if they are long', async () => {
		const long = createFile('long.run.json', `{"model": "a", "inputs": [${'{},'.repeat(500_000)}0]}`);
		assert.deepEqual(await readAgentsOfRunFiles([long]), [[long, 'a']]);
	});
});
