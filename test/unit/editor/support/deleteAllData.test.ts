import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { deleteAllData } from '#editor/support/deleteAllData.ts';
import { answerDialogs } from '../../../support/editor/answers.ts';
import { MemorySecrets } from '../../../support/editor/memorySecrets.ts';
import { MemoryState } from '../../../support/editor/memoryState.ts';

describe('the deletion of all data', () => {
	let root: string;
	beforeEach(() => {
		root = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-delete-'));
	});
	afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

	const id = 'agent-workbench.agent-workbench';
	const createFolder = (...parts: string[]) => {
		const folder = path.join(root, ...parts);
		fs.mkdirSync(folder, { recursive: true });
		fs.writeFileSync(path.join(folder, 'file'), 'content');
		return folder;
	};

	it('includes what is stored after the question was asked, even if a feature fails to end', async () => {
		const places = {
			secrets: new MemorySecrets(),
			states: [new MemoryState()],
			globalFolder: createFolder('globalStorage', id),
			workspaceFolder: createFolder('workspaceStorage/here', id),
		};
		let other = '';
		let reloads = 0;
		const { errors } = await answerDialogs({ button: 'Delete all data' }, () =>
			deleteAllData(places, {
				endFeatures: async () => {
					other = createFolder('workspaceStorage/other', id);
					await places.secrets.store('key of a new connection', 'secret');
					throw new Error('no space left');
				},
				reloadWindow: () => reloads++,
			}),
		);
		assert.deepEqual([errors, reloads, await places.secrets.keys()], [[], 1, []]);
		assert.deepEqual([places.globalFolder, places.workspaceFolder, other].filter(fs.existsSync), []);
	});

	it('of files works without a keyring, and reports that secrets could not be deleted', async () => {
		const secrets = new MemorySecrets();
		secrets.broken = true;
		const globalFolder = createFolder('globalStorage', id);
		const { errors, details } = await answerDialogs({ button: 'Delete all data' }, () =>
			deleteAllData(
				{ secrets, states: [], globalFolder, workspaceFolder: undefined },
				{ endFeatures: () => undefined, reloadWindow: () => undefined },
			),
		);
		assert.deepEqual([errors.length, details[1], fs.existsSync(globalFolder)], [1, 'no keyring here', false]);
	});

	it('follows no links out of the data folders', async () => {
		const outside = createFolder('outside');
		const globalFolder = createFolder('globalStorage', id);
		fs.symlinkSync(outside, path.join(globalFolder, 'link'), 'junction');
		fs.mkdirSync(path.join(root, 'workspaceStorage/here'), { recursive: true });
		fs.symlinkSync(outside, path.join(root, 'workspaceStorage/here', id), 'junction');
		const places = { secrets: new MemorySecrets(), states: [], globalFolder, workspaceFolder: undefined };
		const { errors, details } = await answerDialogs({ button: 'Delete all data' }, () =>
			deleteAllData(places, { endFeatures: () => undefined, reloadWindow: () => undefined }),
		);
		assert.deepEqual([errors, fs.existsSync(globalFolder), fs.readdirSync(outside)], [[], false, ['file']]);
		assert.match(details[0] ?? '', /: 2 \(/);
	});
});
