import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../../../scripts/lib/paths.ts';
import { ConnectionsUnderTest } from '../../../support/editor/connectionsUnderTest.ts';
import { TreeUnderTest } from '../../../support/editor/treeUnderTest.ts';
import { PlayedService } from '../../../support/services/playedService.ts';

const { contributes } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
	contributes: { menus: Record<string, { command: string; when?: string }[]> };
};

/** Returns the commands in the menu of a row. */
function listOffered(context: string): string[] {
	return contributes.menus['view/item/context']!.flatMap(({ command, when }) => {
		const [, value, pattern] = /viewItem (?:== (\S+)|=~ \/(.+)\/)$/.exec(when ?? '') ?? [];
		const fits = pattern === undefined ? value === context : new RegExp(pattern).test(context);
		return fits ? [command.replace('agentWorkbench.', '')] : [];
	});
}

describe('the menus of the tree', () => {
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

	it('offer to add agents only for services with agents, and to remove only names from the settings', async () => {
		await window.addConnection({ baseUrl: service.url, kind: 'dify', agents: ['first'] }, 'key');
		assert.ok(listOffered((await tree.findRow('Played')).context).includes('connection.addAgents'));
		assert.ok(listOffered((await tree.findRow('Played', 'first')).context).includes('agent.removeName'));
		await window.addConnection({ baseUrl: service.url, kind: 'dify' }, 'key');
		assert.ok(!listOffered((await tree.findRow('Played', 'Played')).context).includes('agent.removeName'), 'a service that is one agent');
		await window.addConnection({ baseUrl: service.url, kind: 'anthropic' }, 'key');
		assert.ok(!listOffered((await tree.findRow('Played')).context).includes('connection.addAgents'));
	});

	it('use context values only for rows that have menus', () => {
		const elsewhere = Object.entries(contributes.menus).flatMap(([menu, items]) =>
			menu === 'view/item/context' ? [] : items.flatMap(({ command, when }) => (when?.includes('viewItem') ? [`${menu}: ${command}`] : [])),
		);
		assert.deepEqual(elsewhere, [], 'only view/item/context knows a viewItem: elsewhere such an entry never shows');
	});

	it('offer additional commands for a log entry if this editor started its run', async () => {
		await window.addConnection({ baseUrl: service.url, user: 'ana' }, 'key');
		const [before] = await tree.readRows('Played', 'echo', 'Logs');
		assert.equal(before?.context, 'log');
		for (const command of ['run.inspect', 'run.runAgain', 'run.compare']) {
			assert.ok(listOffered('log').includes(command), command);
		}
		assert.ok(!listOffered('log').includes('chat.askAboutRun'));
		const { runId } = before!.node as unknown as { runId: string };
		tree.runs.set({ key: 'k', connectionId: 'played', agent: 'echo', runId, status: 'succeeded' });
		const [after] = await tree.readRows('Played', 'echo', 'Logs');
		assert.equal(after?.context, 'log.kept');
		for (const command of ['run.inspect', 'run.runAgain', 'run.compare', 'chat.askAboutRun', 'log.open', 'log.copyRunId']) {
			assert.ok(listOffered('log.kept').includes(command), command);
		}
	});

	it('offer the expected commands for files and runs', () => {
		const wanted: Record<string, string[]> = {
			runFile: ['input.run', 'runFile.copyAsCurl', 'runFile.chooseConnection', 'file.reveal', 'file.rename', 'file.delete'],
			'agent.file.published.changed': [
				'graph.open',
				'file.reveal',
				'file.rename',
				'file.delete',
				'agentFile.showChanges',
				'chat.withAgent',
			],
			'connection.service.dify.signedOut': ['dify.signIn', 'connection.setKey', 'connection.addAgents', 'logs.open'],
			'connection.service.dify.signedIn': ['dify.signOut', 'dify.switchWorkspace', 'apps.filter', 'connection.remove'],
			'connection.service.dify.signedIn.filtered': ['apps.clearFilter'],
			'difyApp.graph.linked.keyless': ['difyApp.open', 'difyApp.createKey'],
			'difyApp.graph.key': ['difyApp.deleteKey', 'input.create', 'agent.runForm', 'chat.withAgent', 'logs.open'],
			'run.finished': ['run.copyId', 'run.remove', 'run.compare'],
		};
		for (const [context, commands] of Object.entries(wanted)) {
			assert.deepEqual(
				commands.filter(command => !listOffered(context).includes(command)),
				[],
			);
		}
		assert.ok(
			!listOffered('difyApp.graph.key').includes('difyApp.createKey') && !listOffered('difyApp.graph.keyless').includes('input.create'),
		);
		assert.ok(!listOffered('run.active').includes('run.remove') && !listOffered('agent.file.published').includes('agentFile.showChanges'));
	});
});
