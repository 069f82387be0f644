import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ConnectionsUnderTest } from '../../support/editor/connectionsUnderTest.ts';
import { TreeUnderTest } from '../../support/editor/treeUnderTest.ts';
import { PlayedService } from '../../support/services/playedService.ts';

describe('the tree, when the connections in the settings change', () => {
	let window: ConnectionsUnderTest;
	let service: PlayedService;
	let tree: TreeUnderTest;
	beforeEach(async () => {
		window = new ConnectionsUnderTest();
		service = new PlayedService();
		await service.start();
		tree = new TreeUnderTest(window);
	});
	afterEach(async () => {
		tree.dispose();
		await window.dispose();
		await service.stop();
	});
	const getRowLabels = async (...path: string[]) => (await tree.readRows(...path)).map(({ label }) => label);
	const countRequests = () => service.requests.filter(request => request.includes('/agents')).length;

	it('shows added agents immediately', async () => {
		service.agents = undefined;
		const entry = await window.addConnection({ baseUrl: service.url }, 'key');
		assert.deepEqual(await getRowLabels('Played'), ['This service lists no agents']);
		const refreshed = tree.waitForRefresh();
		await window.settings.saveEntry({ ...entry, agents: ['mine'] });
		await refreshed;
		assert.deepEqual(await getRowLabels('Played'), ['mine']);
	});

	it("doesn't refresh unchanged connections", async () => {
		const other = await window.addConnection({ baseUrl: service.url, id: 'other', name: 'Other' }, 'key');
		await window.addConnection({ baseUrl: service.url }, 'key');
		await getRowLabels('Played');
		await getRowLabels('Other');
		assert.equal(window.registry.state('played').kind, 'ready');
		const before = countRequests();
		await window.settings.saveEntry({ ...other, user: 'eve' });
		assert.equal(window.registry.state('played').kind, 'ready');
		assert.equal(window.registry.state('other').kind, 'idle');
		await getRowLabels('Played');
		assert.equal(countRequests(), before);
		await getRowLabels('Other');
		assert.equal(countRequests(), before + 1);
	});

	it('shows the problem of an entry, and keeps the entry when another one is saved', async () => {
		const faulty = { name: 'Typo', kind: 'gatway', baseUrl: 'https://x.example', later: true };
		await vscode.workspace.getConfiguration('agentWorkbench').update('connections', [faulty], vscode.ConfigurationTarget.Global);
		await window.addConnection({ baseUrl: service.url }, 'key');
		const row = await tree.findRow('Typo');
		assert.match(row.description, /^'kind' isn't valid\. Expected one of gateway/);
		assert.equal(row.item.command?.command, 'workbench.action.openSettingsJson');
		await window.settings.removeEntries(['played']);
		const kept = vscode.workspace.getConfiguration('agentWorkbench').inspect('connections')?.globalValue;
		assert.deepEqual(kept, [faulty]);
	});

	it("doesn't send one request per question, or retry immediately after a failure", async () => {
		await window.addConnection({ baseUrl: service.url }, 'key');
		for (let i = 0; i < 20; i++) {
			await window.registry.listAgents('played');
		}
		assert.equal(countRequests(), 1);
		service.key = 'another';
		window.registry.reloadLists('played');
		for (let i = 0; i < 20; i++) {
			await assert.rejects(window.registry.listAgents('played'), { reason: 'auth' });
		}
		assert.equal(countRequests(), 2);
	});
});
