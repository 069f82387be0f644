import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { DifyApp } from '#client/dify/management.ts';
import type { DifyConnectionNode } from '#editor/explorer/dify/difyConnectionNode.ts';
import { ConnectionsUnderTest } from '../../../support/editor/connectionsUnderTest.ts';
import { TreeUnderTest } from '../../../support/editor/treeUnderTest.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

const createApp = (id: string, more: Partial<DifyApp> = {}): DifyApp => ({
	id,
	name: `App ${id}`,
	description: '',
	mode: 'workflow',
	updatedAt: 1_700_000_000,
	...more,
});
const signedIn = { kind: 'signed-in', account: 'ana@example.com', workspaceId: 'w', workspace: 'Team' } as const;

describe('a Dify server in the tree', () => {
	let window: ConnectionsUnderTest;
	let tree: TreeUnderTest;
	beforeEach(() => {
		window = new ConnectionsUnderTest();
		tree = new TreeUnderTest(window);
	});
	afterEach(async () => {
		tree.dispose();
		await window.dispose();
	});
	const createDeployment = (key?: string) => window.addConnection({ kind: 'dify', baseUrl: 'https://dify.example.com/v1' }, key);
	const createKeyedApp = (id: string, name: string, key?: string) =>
		window.addConnection({ id, name, kind: 'dify', baseUrl: 'https://dify.example.com/v1', deployment: 'played', app: 'a' }, key);
	/** Waits until a node is refreshed, alone or with the whole tree. */
	const waitForRender = (id: string) =>
		waitUntil(`${id} is rendered again`, () => tree.refreshed.includes(id) || tree.refreshed.includes(undefined));
	const listLabels = async (...path: string[]) =>
		(await tree.readRows(...path)).map(({ label, description }) => `${label}: ${description}`);

	it('shows the app of its key while the user is signed out, or both ways to add apps if there is no key', async () => {
		await createDeployment();
		assert.deepEqual(await listLabels('Played'), ["The key for 'Played' is missing.: Set key", 'Manage its apps: Sign in…']);
		await createDeployment('key');
		assert.deepEqual(await listLabels('Played'), ['Played: ']);
		assert.deepEqual(tree.dify.asked, [], 'nothing is sent');
	});

	it("shows the workspace's apps by name, with mode and state of their files", async () => {
		await createDeployment();
		tree.dify.apps = [
			createApp('c', { name: 'Zeta', mode: 'advanced-chat' }),
			createApp('a', { name: 'alpha' }),
			createApp('b', { name: 'Beta\u202e\n[x](command:y)', mode: 'agent-chat' }),
		];
		tree.dify.linked.set('a', { uri: vscode.Uri.file('/w/agents/a.yml'), state: 'changed-here', nodes: 3 });
		tree.dify.setManagementState('played', signedIn);
		assert.deepEqual(await listLabels('Played'), ['alpha: 3 nodes differ · workflow', 'Beta: agent', 'Zeta: chatflow']);
		const row = await tree.findRow('Played');
		assert.equal(row.description, 'Team · ana@example.com');
		assert.equal(row.context, 'connection.service.dify.signedIn');
		assert.deepEqual(
			(await tree.readRows('Played')).map(({ context }) => context),
			['difyApp.graph.linked.keyless', 'difyApp.model.keyless', 'difyApp.graph.keyless'],
		);
		assert.deepEqual(tree.dify.asked, ['page 1'], 'no app is asked for by itself');
	});

	it('loads a workspace with a few hundred apps at once, and a larger one page by page', async () => {
		await createDeployment();
		tree.dify.apps = Array.from({ length: 35 }, (_, index) => createApp(`${index}`, { name: `n${String(99 - index)}` }));
		tree.dify.setManagementState('played', signedIn);
		const rows = await tree.readRows('Played');
		assert.equal(rows.length, 35);
		assert.equal(rows[0]!.label, 'n65');
		assert.equal(tree.dify.asked.length, 4);

		tree.dify.apps = Array.from({ length: 100_000 }, (_, index) => createApp(`${index}`));
		(rows[0]!.node.parent as DifyConnectionNode).rows.dropRows();
		assert.deepEqual((await listLabels('Played')).slice(-2), ['App 9: workflow', `Load more: ${(99_990).toLocaleString()} more`]);
		assert.equal(tree.dify.asked.length, 5);
	});

	it('searches for names on the server', async () => {
		await createDeployment();
		tree.dify.apps = [createApp('a', { name: 'alpha' }), createApp('b', { name: 'beta' })];
		tree.dify.setManagementState('played', signedIn);
		const { node } = await tree.findRow('Played');
		await tree.readRows('Played');
		(node as DifyConnectionNode).setFilter('bet');
		assert.deepEqual(await listLabels('Played'), ['beta: workflow']);
		assert.equal((await tree.findRow('Played')).context, 'connection.service.dify.signedIn.filtered');
		(node as DifyConnectionNode).setFilter('none');
		assert.deepEqual(await listLabels('Played'), ['No matching apps: Clear filter']);
		assert.deepEqual(tree.dify.asked, ['page 1', 'page 1 “bet”', 'page 1 “none”']);
	});

	it('shows apps with their own keys under it, with the usual children, signed in or not', async () => {
		await createDeployment();
		await createKeyedApp('nested', 'Summaries', 'app-key');
		assert.deepEqual(
			(await tree.readRows()).map(({ label }) => label),
			['Built-in gateway', 'Played'],
		);
		assert.deepEqual(
			(await tree.readRows('Played')).map(({ label }) => label),
			['Manage its apps', 'Summaries'],
		);
		tree.dify.apps = [createApp('a', { name: 'Summary maker' }), createApp('b')];
		tree.dify.setManagementState('played', signedIn);
		assert.deepEqual(await listLabels('Played'), ['App b: workflow', 'Summary maker: workflow']);
		assert.deepEqual(
			(await tree.readRows('Played', 'Summary maker')).map(({ label }) => label),
			['Run files', 'Runs', 'Logs'],
		);
		const { node, context } = await tree.findRow('Played', 'Summary maker');
		assert.equal((node as unknown as { connectionId: string }).connectionId, 'nested');
		assert.equal(context, 'difyApp.graph.key');
		assert.deepEqual(await listLabels('Played', 'App b'), ['No API key: Add key']);
		tree.runs.set({ key: 'k', connectionId: 'nested', agent: 'Summaries' });
		assert.equal((await tree.findRow('Played', 'Summary maker')).description, '1 running · workflow');
		assert.equal((await tree.readRows('Played', 'Summary maker', 'Runs')).length, 1);
	});

	it('returns to the top when its deployment is removed', async () => {
		await createDeployment();
		await createKeyedApp('nested', 'Summaries', 'app-key');
		await window.settings.removeEntries(['played']);
		assert.deepEqual(
			(await tree.readRows()).map(({ label }) => label),
			['Built-in gateway', 'Summaries'],
		);
	});

	it('sends requests only when the user looks at an app', async () => {
		await createDeployment();
		await createKeyedApp('nested', 'Summaries', 'app-key');
		tree.dify.apps = [createApp('a')];
		tree.dify.off.add('a');
		tree.dify.setManagementState('played', signedIn);
		await tree.readRows('Played');
		tree.refreshed.length = 0;
		await tree.readRows('Played', 'App a');
		assert.deepEqual(tree.dify.asked, ['page 1', 'check a', 'app a']);
		await waitForRender('connection/played/app/a');
		assert.equal((await listLabels('Played', 'App a'))[0], 'Service API is off: Enable');
	});

	it('refreshes one app whose file has changed, but not the list', async () => {
		await createDeployment();
		tree.dify.apps = [createApp('a'), createApp('b')];
		tree.dify.setManagementState('played', signedIn);
		await tree.readRows('Played');
		tree.refreshed.length = 0;
		tree.dify.setAppLink('played', 'b', { uri: vscode.Uri.file('/w/agents/b.yml'), state: 'changed-there' });
		await waitForRender('connection/played/app/b');
		assert.ok(!tree.refreshed.includes('connection/played/app/a'));
		assert.equal((await tree.findRow('Played', 'App b')).description, 'changed in Dify · workflow');
	});

	it('shows the problem of the list, with a remedy', async () => {
		await createDeployment();
		tree.dify.failure = new Problem('auth', 'The sign-in has expired.', { title: 'Sign in again', command: 'agentWorkbench.dify.signIn' });
		tree.dify.setManagementState('played', signedIn);
		assert.deepEqual(await listLabels('Played'), ['The sign-in has expired.: Sign in again']);
		tree.dify.setManagementState('played', { kind: 'expired', account: 'ana@example.com' });
		assert.deepEqual(await listLabels('Played'), ['Sign-in expired: Sign in again']);
		const row = await tree.findRow('Played');
		assert.deepEqual([row.description, row.context], ['sign-in expired', 'connection.service.dify.signedExpired']);
	});
});
