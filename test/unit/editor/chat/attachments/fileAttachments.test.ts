import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { attachUris, pickFiles, rankPath } from '#editor/chat/attachments/fileAttachments.ts';
import { createFileKind } from '#editor/chat/context/fileKinds.ts';
import { MessageContext } from '#editor/chat/context/messageContext.ts';

describe('files attached to a chat', () => {
	const { showOpenDialog } = vscode.window;
	const context = new MessageContext([createFileKind({} as never)]);
	let folder: string;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'attachments-'));
	});
	afterEach(() => {
		Object.assign(vscode.window, { showOpenDialog });
		fs.rmSync(folder, { recursive: true });
	});

	const createChat = () => {
		const transcript = { attachments: [] as { part: { name: string; text?: string } }[] };
		return { transcript, updateFields: (fields: object) => Object.assign(transcript, fields) };
	};
	const createFile = (name: string): vscode.Uri => {
		fs.writeFileSync(path.join(folder, name), 'some text');
		return vscode.Uri.file(path.join(folder, name));
	};

	it('are those that the user picks', async () => {
		const chat = createChat();
		const picks: (vscode.Uri[] | undefined)[] = [[createFile('a.md'), createFile('b.md')], undefined];
		Object.assign(vscode.window, { showOpenDialog: async () => picks.shift() });
		await pickFiles(chat as never, context);
		await pickFiles(chat as never, context);
		assert.deepEqual(
			chat.transcript.attachments.map(({ part }) => [path.basename(part.name), part.text]),
			[
				['a.md', 'some text'],
				['b.md', 'some text'],
			],
		);
	});

	it('are attached once, and never fetched from the web', async () => {
		const chat = createChat();
		const uri = createFile('a.md');
		await attachUris(chat as never, context, [uri]);
		await attachUris(chat as never, context, [uri]);
		assert.equal(chat.transcript.attachments.length, 1);
		await assert.rejects(attachUris(chat as never, context, [vscode.Uri.parse('https://example.test/a.md')]), { reason: 'attachment' });
	});

	it('are ranked by how well their names match', () => {
		const rank = (query: string, ...paths: string[]) => paths.map(each => rankPath(each, query));
		assert.deepEqual(rank('Main', '/w/main', '/w/src/MAIN.ts', '/w/mainly.ts', '/w/domain.ts', '/w/main/a.ts'), [0, 1, 2, 3, 3]);
		assert.deepEqual(rank('src/main', '/w/src/main', '/w/src/main.ts', '/w/src/mainly.ts', '/w/lib/src/x/main.ts'), [0, 1, 2, 3]);
		assert.deepEqual(rank('', '/w/.env', '/w/a.ts'), [0, 0]);
	});
});
