import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { pickConnection } from '#editor/chat/targetPicks.ts';

describe('the choice of a connection in a chat', () => {
	const { showQuickPick } = vscode.window;
	afterEach(() => void Object.assign(vscode.window, { showQuickPick }));

	const listed = ['one', 'two'].map(id => ({ id, name: id, kind: 'gateway' }));

	/** Chooses a connection in a chat on `one` with a model for each endpoint; returns the changed fields. */
	const choose = async (id: string) => {
		Object.assign(vscode.window, {
			showQuickPick: async (items: { connection: { id: string } }[]) => items.find(({ connection }) => connection.id === id),
		});
		const transcript = { connectionId: 'one', endpoint: 'completions', models: { completions: 'old', messages: 'fast' } };
		const changed: object[] = [];
		const chat = {
			transcript,
			updateFields(fields: object) {
				changed.push(fields);
				Object.assign(transcript, fields);
			},
		};
		const targets = {
			listEndpoints: ({ id }: { id: string }) => (id === 'one' ? ['messages', 'completions'] : ['messages']),
			getConnection: () => listed[0],
			findOnlyModel: async () => undefined,
		};
		await pickConnection(chat as never, { list: () => listed, getDefault: () => listed[0] } as never, targets as never);
		return changed;
	};

	it('drops the models of the previous service, and an endpoint that the new one lacks', async () => {
		assert.deepEqual(await choose('two'), [{ connectionId: 'two', endpoint: 'messages', models: {} }]);
	});

	it('changes nothing if the same connection is chosen again', async () => {
		assert.deepEqual(await choose('one'), [{ connectionId: 'one', endpoint: 'completions' }]);
	});
});
