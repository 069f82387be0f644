import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { pickEndpoint, pickTarget } from '#editor/chat/targetPicks.ts';

describe('the choice of an endpoint in a chat', () => {
	const { showQuickPick } = vscode.window;
	afterEach(() => void Object.assign(vscode.window, { showQuickPick }));

	/** Chooses an endpoint in a chat that has models for some; returns the changed fields, and the endpoints of the list. */
	const choose = async (endpoint: string, models: object) => {
		let listed: string[] = [];
		Object.assign(vscode.window, {
			showQuickPick: async (items: { endpoint: string }[]) => {
				listed = items.map(item => item.endpoint);
				return items.find(item => item.endpoint === endpoint);
			},
		});
		const changed: object[] = [];
		const chat = { transcript: { endpoint: 'messages', models }, updateFields: (fields: object) => changed.push(fields) };
		const targets = { listEndpoints: () => ['messages', 'completions', 'agent'], getConnection: () => ({}) };
		await pickEndpoint(chat as never, targets as never);
		return { changed, listed };
	};

	it('keeps the model, unless the endpoint has its own', async () => {
		const { changed, listed } = await choose('completions', { messages: 'fast' });
		assert.deepEqual(listed, ['messages', 'completions']);
		assert.deepEqual(changed, [{ endpoint: 'completions', models: { messages: 'fast', completions: 'fast' } }]);
		const own = await choose('completions', { messages: 'fast', completions: 'old' });
		assert.deepEqual(own.changed, [{ endpoint: 'completions', models: { messages: 'fast', completions: 'old' } }]);
	});

	it('changes nothing if it is canceled', async () => {
		assert.deepEqual((await choose('none', { messages: 'fast' })).changed, []);
	});
});

describe('the list of models and agents', () => {
	const { createQuickPick } = vscode.window;
	afterEach(() => void Object.assign(vscode.window, { createQuickPick }));

	type Item = { label: string; kind?: vscode.QuickPickItemKind; choice?: { kind: string } };

	/** Opens the list for two connections. Like VS Code, it makes the first row active if no other one is set. */
	const openList = () => {
		const shown: string[][] = [];
		let hide = () => {};
		let items: Item[] = [];
		const pick = {
			activeItems: [] as Item[],
			value: '',
			set items(next: Item[]) {
				items = next;
				pick.activeItems = items.filter(({ kind }) => kind !== vscode.QuickPickItemKind.Separator).slice(0, 1);
				shown.push(items.filter(({ choice }) => choice?.kind === 'target').map(({ label }) => label));
			},
			get items() {
				return items;
			},
			onDidAccept: () => {},
			onDidHide: (listener: () => void) => {
				hide = listener;
			},
			show: () => {},
			dispose: () => {},
		};
		Object.assign(vscode.window, { createQuickPick: () => pick });
		const connections = ['first', 'second'].map(name => ({ id: name, name, kind: 'anthropic-compatible' }));
		const lists = new Map(connections.map(({ id }) => [id, Promise.withResolvers<{ name: string }[]>()]));
		const picked = pickTarget(
			{ connectionId: 'first', endpoint: 'messages', name: '' },
			{ list: () => connections, getDefault: () => connections[0] } as never,
			{ listEndpoints: () => ['messages'], listModels: (_kind: string, { id }: { id: string }) => lists.get(id)?.promise } as never,
		);
		const loadModel = async (connection: string, name: string) => {
			lists.get(connection)?.resolve([{ name }]);
			await new Promise(setImmediate);
		};
		return { pick, shown, picked, loadModel, hide: () => hide() };
	};

	it('shows the lists of all connections together, so that no row moves when the user clicks it', async () => {
		const { shown, picked, loadModel, hide } = openList();
		await loadModel('second', 'b');
		assert.deepEqual(shown.at(-1), []);
		await loadModel('first', 'a');
		assert.deepEqual(shown.at(-1), ['a', 'b']);
		hide();
		assert.equal(await picked, undefined);
	});

	it('makes the first model active, and not the row to add a connection, which was the first one before', async () => {
		const { pick, picked, loadModel, hide } = openList();
		assert.equal(pick.activeItems[0]?.choice?.kind, 'addConnection');
		await loadModel('second', 'b');
		await loadModel('first', 'a');
		assert.equal(pick.activeItems[0]?.label, 'a');
		hide();
		await picked;
	});
});
