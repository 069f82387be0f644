import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { createAgent } from '../../../src/explorer/createAgent.ts';
import { answering } from '../support/answers.ts';
import { ConnectionsUnderTest } from '../support/connectionsUnderTest.ts';

describe('a new agent', () => {
	const folder = path.join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, 'agents');
	const file = path.join(folder, 'greeter.yml');
	let window: ConnectionsUnderTest;
	beforeEach(() => {
		window = new ConnectionsUnderTest();
	});
	afterEach(async () => {
		fs.rmSync(file, { force: true });
		await window.dispose();
	});

	it('is a file that the gateway runs at once', async () => {
		await answering({ texts: ['greeter'] }, () => createAgent());
		const agent = (await window.registry.agents('built-in')).find(({ name }) => name === 'greeter');
		assert.equal(agent?.error, null);
		const client = await window.registry.client('built-in');
		const { data } = await client.runWorkflow({ model: 'greeter', inputs: { name: 'Ana' }, user: 'ana' });
		assert.deepEqual(data.outputs, { greeting: 'Hello Ana' });
	});

	for (const [name, wrong] of [
		['summarize', 'There is an agent of this name.'],
		['../escape', 'Expected letters, digits, “-” and “_”.'],
		['', 'Expected letters, digits, “-” and “_”.'],
	] as const) {
		it(`is not called “${name}”`, async () => {
			const before = fs.readdirSync(folder);
			const { refusals } = await answering({ texts: [name] }, () => createAgent());
			assert.deepEqual(refusals, [wrong]);
			assert.deepEqual(fs.readdirSync(folder), before);
		});
	}
});
