import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { openMentionedFile, parseFileReference } from '#editor/chat/panel/openPath.ts';

describe('a path in a reply', () => {
	for (const [text, file, lines] of [
		['src/a.ts', 'src/a.ts', undefined],
		['src/a.ts:10', 'src/a.ts', '10-10'],
		['src/a.ts:10:4', 'src/a.ts', '10-10'],
		['src/a.ts:10-12', 'src/a.ts', '10-12'],
		['src/a.ts(10,4)', 'src/a.ts', '10-10'],
		['src/a.ts(10)', 'src/a.ts', '10-10'],
		['src/a.ts#L10', 'src/a.ts', '10-10'],
		['src/a.ts#L10-L12', 'src/a.ts', '10-12'],
	] as const) {
		it(`parses ${text} as a file with lines`, () => {
			assert.deepEqual(parseFileReference(text), lines ? { path: file, lines } : { path: file });
		});
	}

	describe('in a workspace', () => {
		let folder: string;
		const shown: string[] = [];
		const { showTextDocument } = vscode.window;
		beforeEach(() => {
			folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-path-'));
			fs.mkdirSync(path.join(folder, 'work/src'), { recursive: true });
			fs.writeFileSync(path.join(folder, 'work/src/a.ts'), 'a');
			fs.writeFileSync(path.join(folder, 'secret'), 'b');
			Reflect.set(vscode.workspace, 'workspaceFolders', [{ uri: vscode.Uri.file(path.join(folder, 'work')), name: 'work', index: 0 }]);
			Reflect.set(vscode.window, 'showTextDocument', async (uri: vscode.Uri) => void shown.push(path.relative(folder, uri.fsPath)));
		});
		afterEach(() => {
			Reflect.set(vscode.workspace, 'workspaceFolders', undefined);
			Reflect.set(vscode.window, 'showTextDocument', showTextDocument);
			fs.rmSync(folder, { recursive: true, force: true });
		});

		it('opens only if it is inside the workspace', async () => {
			await openMentionedFile('src/a.ts:1');
			await openMentionedFile(path.join(folder, 'work/src/a.ts'));
			assert.deepEqual(shown, ['work/src/a.ts', 'work/src/a.ts']);
			for (const text of ['../secret', path.join(folder, 'secret'), 'src', 'nowhere.ts']) {
				await assert.rejects(openMentionedFile(text), { reason: 'no-file' });
			}
			assert.equal(shown.length, 2);
		});
	});
});
