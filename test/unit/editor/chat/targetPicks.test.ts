import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { pickEndpoint } from '#editor/chat/targetPicks.ts';

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
