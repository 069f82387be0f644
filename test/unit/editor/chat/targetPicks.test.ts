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

	it('shows the lists of all connections together, so that no row moves when the user clicks it', async () => {
		const shown: string[][] = [];
		let hide = () => {};
		Object.assign(vscode.window, {
			createQuickPick: () => ({
				activeItems: [],
				value: '',
				set items(items: { label: string; choice?: { kind: string } }[]) {
					shown.push(items.filter(({ choice }) => choice?.kind === 'target').map(({ label }) => label));
				},
				get items() {
					return [];
				},
				onDidAccept: () => {},
				onDidHide: (listener: () => void) => {
					hide = listener;
				},
				show: () => {},
				dispose: () => {},
			}),
		});
		const connections = ['first', 'second'].map(name => ({ id: name, name, kind: 'anthropic-compatible' }));
		const lists = new Map(connections.map(({ id }) => [id, Promise.withResolvers<{ name: string }[]>()]));
		const picked = pickTarget(
			{ connectionId: 'first', endpoint: 'messages', name: '' },
			{ list: () => connections, getDefault: () => connections[0] } as never,
			{ listEndpoints: () => ['messages'], listModels: (_kind: string, { id }: { id: string }) => lists.get(id)?.promise } as never,
		);
		lists.get('second')?.resolve([{ name: 'b' }]);
		await new Promise(setImmediate);
		assert.deepEqual(shown.at(-1), []);
		lists.get('first')?.resolve([{ name: 'a' }]);
		await new Promise(setImmediate);
		assert.deepEqual(shown.at(-1), ['a', 'b']);
		hide();
		assert.equal(await picked, undefined);
	});
});
