import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Connections } from '#editor/connections/connectionTypes.ts';
import { chooseLogsTarget } from '#editor/runs/logs/logsTarget.ts';

describe('the choice of logs', () => {
	const window = vscode.window as { showQuickPick: unknown };
	const before = window.showQuickPick;
	afterEach(() => {
		window.showQuickPick = before;
	});

	/** Returns label and description of each item, without headings. */
	async function listItems(...names: readonly string[]): Promise<readonly (readonly [string, string | undefined])[]> {
		let listed: readonly vscode.QuickPickItem[] = [];
		window.showQuickPick = async (items: Promise<readonly vscode.QuickPickItem[]>) => {
			listed = await items;
		};
		await chooseLogsTarget({
			list: () => names.map(name => ({ id: name, name, kind: 'gateway' })),
			listAgents: async () => [{ name: 'support' }, { name: 'translate' }],
		} as unknown as Connections);
		return listed.filter(({ kind }) => kind === undefined).map(({ label, description }) => [label, description] as const);
	}

	it('begins with all agents of a connection, and names the connection only if there are several', async () => {
		assert.deepEqual(await listItems('Team'), [
			["All agents of 'Team'", ''],
			['support', ''],
			['translate', ''],
		]);
		assert.deepEqual((await listItems('Team', 'Other')).slice(3, 5), [
			["All agents of 'Other'", ''],
			['support', 'Other'],
		]);
	});
});
