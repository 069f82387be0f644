import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AgentFileList } from '#editor/explorer/lists/agentFileList.ts';

describe('agents listed by their files', () => {
	let folder: string;
	let list: AgentFileList;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-files-'));
		list = new AgentFileList(() => [folder]);
	});
	afterEach(() => {
		list.dispose();
		fs.rmSync(folder, { recursive: true, force: true });
	});
	const writeFile = (name: string, text: string) => fs.writeFileSync(path.join(folder, name), text);

	it('have the modes of their apps, and are sorted by name', async () => {
		writeFile('b.yml', 'app:\n  description: "mode: chat"\n  mode: workflow\nkind: app\nworkflow:\n  mode: completion\n');
		writeFile('a.yaml', 'kind: app\napp:\n  name: a\n\n  mode: "advanced-chat" # a comment\n');
		writeFile('empty.yml', '');
		writeFile('notes.md', 'app:\n  mode: chat\n');
		assert.deepEqual(
			(await list.listAgents()).map(({ name, mode, file }) => [name, mode, path.relative(folder, file ?? '')]),
			[
				['a', 'advanced-chat', 'a.yaml'],
				['b', 'workflow', 'b.yml'],
				['empty', 'workflow', 'empty.yml'],
			],
		);
	});

	it('leave out files that can no longer be read, and links out of the folder', async () => {
		fs.symlinkSync(import.meta.filename, path.join(folder, 'outside.yml'));
		fs.symlinkSync(path.join(folder, 'gone'), path.join(folder, 'link.yml'));
		fs.mkdirSync(path.join(folder, 'folder.yml'));
		assert.deepEqual(await list.listAgents(), []);
	});

	it('are those that the gateway serves: the first of several files for a name, and no file without a name', async () => {
		for (const name of ['a.yml', 'a.yaml', '.yml', 'b.YAML']) {
			writeFile(name, 'app:\n  mode: workflow\n');
		}
		if (process.platform !== 'win32') {
			execFileSync('mkfifo', [path.join(folder, 'pipe.yml')]);
		}
		assert.deepEqual(
			(await list.listAgents()).map(({ file }) => path.relative(folder, file ?? '')),
			['a.yaml', 'b.YAML'],
		);
	});

	it('are all listed although a system allows few open files', async () => {
		for (let n = 0; n < 300; n++) {
			writeFile(`a${n}.yml`, '');
		}
		const { open } = fs.promises;
		let opened = 0;
		fs.promises.open = async (...args) => {
			if (opened >= 50) {
				throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
			}
			opened++;
			const handle = await open(...args);
			const close = handle.close.bind(handle);
			handle.close = async () => {
				opened--;
				await close();
			};
			return handle;
		};
		try {
			assert.equal((await list.listAgents()).length, 300);
		} finally {
			fs.promises.open = open;
		}
	});

	it('come from the current folders', async () => {
		writeFile('a.yml', '');
		let folders = [folder];
		const changing = new AgentFileList(() => folders);
		assert.equal((await changing.listAgents()).length, 1);
		folders = [];
		assert.deepEqual(await changing.listAgents(), []);
		assert.deepEqual(changing.knownAgents, []);
		changing.dispose();
	});
});
