import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { formatChanges, type GitRepository, readChanges } from '#editor/chat/context/gitChanges.ts';

describe('the changes of a workspace', () => {
	const createRepository = (staged: string, unstaged: string, added: readonly string[] = []): GitRepository => {
		let isCurrent = false;
		return {
			rootUri: vscode.Uri.file('/w'),
			get state() {
				assert.ok(isCurrent, 'the state is read after it was updated');
				return { workingTreeChanges: added.map(name => ({ uri: vscode.Uri.file(name), status: 7 })) };
			},
			status: async () => {
				isCurrent = true;
			},
			diff: async cached => (cached ? staged : unstaged),
		};
	};
	const useGit = (api: unknown) => Object.assign(vscode.extensions, { getExtension: () => api });
	const { getExtension } = vscode.extensions;
	afterEach(() => Object.assign(vscode.extensions, { getExtension }));
	const enableGit = (...repositories: GitRepository[]) => useGit({ activate: async () => ({ getAPI: () => ({ repositories }) }) });

	it('are what is staged, what is not, and the names of new files', async () => {
		assert.equal(
			await formatChanges(createRepository('-a\n', '+b\n', ['/w/new'])),
			'# Staged\n-a\n\n# Not staged\n+b\n\n# New files\n/w/new',
		);
		assert.equal(await formatChanges(createRepository('', '')), '');
	});

	it('are those of all repositories', async () => {
		enableGit(createRepository('', '+b'), createRepository('', ''), createRepository('-a', ''));
		assert.equal(await readChanges(), '# Not staged\n+b\n\n# Staged\n-a');
	});

	it("are refused with the reason if there are none, or Git can't be used", async () => {
		enableGit(createRepository('', ''));
		await assert.rejects(readChanges(), { message: 'There are no uncommitted changes.' });
		enableGit();
		await assert.rejects(readChanges(), { message: 'This workspace has no Git repository.' });
		useGit(undefined);
		await assert.rejects(readChanges(), /Git extension is disabled/);
		const refuse = () => {
			throw new Error('Git model not found');
		};
		useGit({ activate: async () => ({ getAPI: refuse }) });
		await assert.rejects(readChanges(), { message: "Changes can't be attached, because Git isn't available: Git model not found" });
	});
});
