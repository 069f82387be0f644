import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ConnectionEntry } from '#editor/connections/connectionEntries.ts';
import { type Answers, answerDialogs, type Shown } from '../../support/editor/answers.ts';
import { PlayedService } from '../../support/services/playedService.ts';
import { getInstalledApi } from '../support/installedApi.ts';

const secret = 'sk-installed-secret-0123456789';
const getSettings = () => vscode.workspace.getConfiguration('agentWorkbench');
const getConnectionEntries = () => getSettings().get<ConnectionEntry[]>('connections') ?? [];

describe('a command of the installed extension', () => {
	let service: PlayedService;
	/** Executes a command as the palette and the tree do, and answers its dialogs. */
	const runCommand = async (name: string, answers: Answers, ...args: unknown[]): Promise<Shown> =>
		answerDialogs(answers, async () => vscode.commands.executeCommand(`agentWorkbench.${name}`, ...args), getInstalledApi());
	const node = { connectionId: 'played', agentName: 'echo', conversationId: 'c1', name: 'First talk' };

	beforeEach(async () => {
		service = new PlayedService();
		service.key = secret;
		await service.start();
		const shown = await runCommand('connection.add', { picks: ['Gateway', 'Same key for all'], texts: [service.url, 'Played', secret] });
		assert.match(shown.infos[0] ?? '', /^'Played' responded in \d+ ms\. Key accepted\.$/);
	});
	afterEach(async () => {
		if (getConnectionEntries().length > 0) {
			await runCommand('connection.remove', { button: 'Remove' }, 'played');
		}
		await getSettings().update('connections', undefined, vscode.ConfigurationTarget.Global);
		await service.stop();
	});

	it('adds, edits and tests a connection, and removes it after a confirmation', async () => {
		assert.deepEqual(getConnectionEntries(), [{ id: 'played', name: 'Played', kind: 'gateway', baseUrl: service.url }]);
		await runCommand('connection.edit', { picks: ['Name'], texts: ['Renamed'] }, node);
		assert.equal(getConnectionEntries()[0]?.name, 'Renamed');
		const tested = await runCommand('connection.test', { picks: ['Renamed'] });
		assert.deepEqual(tested.placeHolders, ['Select a connection to test']);
		assert.match(tested.infos[0] ?? '', /^'Renamed' responded in/);
		const unsure = await runCommand('connection.remove', {}, node);
		assert.deepEqual(unsure.warnings, ["Remove the connection 'Renamed' and its key?"]);
		assert.equal(getConnectionEntries().length, 1);
		await runCommand('connection.remove', { button: 'Remove' }, node);
		assert.deepEqual(getConnectionEntries(), []);
	});

	it('sets, imports and removes keys', async () => {
		await runCommand('connection.removeKey', { button: 'Remove key' }, node);
		const missing = await runCommand('connection.test', { picks: [undefined] }, node);
		assert.deepEqual(missing.errors, ["The key for 'Played' is missing."]);
		const set = await runCommand('connection.setKey', { picks: ['Same key for all'], texts: ['wrong', secret] }, node);
		assert.deepEqual(set.refusals, ["'Played' refused this key."]);
		await runCommand('connection.removeKey', { button: 'Remove key' }, node);
		process.env['INSTALLED_API_KEY'] = secret;
		try {
			await runCommand('connection.importKey', { picks: ['INSTALLED_API_KEY'] }, node);
		} finally {
			delete process.env['INSTALLED_API_KEY'];
		}
		assert.match((await runCommand('connection.test', {}, node)).infos[0] ?? '', /Key accepted/);
	});

	it('sets the key of an upstream of the built-in gateway', async () => {
		const none = await runCommand('gateway.setUpstreamKey', {});
		assert.match(none.infos[0] ?? '', /^No setting of the built-in gateway uses a key\./);
		await getSettings().update(
			'gateway.routes',
			[{ model: 'far-*', provider: 'anthropic', base_url: service.url, key: 'FAR' }],
			vscode.ConfigurationTarget.Global,
		);
		try {
			for (const key of ['upstream-key', '']) {
				const shown = await runCommand('gateway.setUpstreamKey', { picks: ['FAR'], texts: [key] });
				assert.deepEqual([shown.errors, shown.placeHolders], [[], ['Select a key to set or remove']]);
			}
			assert.ok(!service.credentials.includes('upstream-key'), 'sent nowhere');
		} finally {
			await getSettings().update('gateway.routes', undefined, vscode.ConfigurationTarget.Global);
		}
	});

	it('adds names of agents and removes one', async () => {
		await runCommand('connection.addAgents', { picks: ['$(edit) Enter names…'], texts: ['mine, yours'] }, node);
		assert.deepEqual(getConnectionEntries()[0]?.agents, ['mine', 'yours']);
		await runCommand('agent.removeName', {}, { connectionId: 'played', agentName: 'mine' });
		assert.deepEqual(getConnectionEntries()[0]?.agents, ['yours']);
		const failed = await runCommand('agent.removeName', {}, { connectionId: 'played', agentName: 'echo' });
		assert.equal(failed.errors.length, 1);
	});

	it('chooses the default connection', async () => {
		const asked = await runCommand('connection.selectDefault', { picks: ['Played'] });
		assert.equal(asked.placeHolders.length, 1);
		await runCommand('connection.selectDefault', { picks: ['Built-in gateway'] });
	});

	it('renames a conversation, lets the service name it, copies its ID and deletes it', async () => {
		await runCommand('conversation.rename', { texts: ['Better'] }, node);
		assert.deepEqual(service.conversations, [{ id: 'c1', name: 'Better' }]);
		await runCommand('conversation.autoName', {}, node);
		assert.deepEqual(service.conversations, [{ id: 'c1', name: 'Made up' }]);
		await runCommand('conversation.copyId', {}, node);
		assert.equal(await vscode.env.clipboard.readText(), 'c1');
		await runCommand('conversation.delete', { button: 'Delete' }, node, [node]);
		assert.deepEqual(service.conversations, []);
	});

	it("reports the service's refusal and offers a fix", async () => {
		service.fault = { status: 403, code: 'forbidden' };
		const shown = await runCommand('conversation.rename', { texts: ['Better'] }, node);
		assert.deepEqual(shown.errors, ["'Played' doesn't allow this with the current key (403)."]);
	});
});
