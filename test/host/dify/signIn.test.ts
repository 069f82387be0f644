import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ConnectionEntry } from '#editor/connections/connectionEntries.ts';
import { type Answers, answerDialogs, type Shown } from '../../support/editor/answers.ts';
import { DifyDeployment } from '../../support/services/dify/difyDeployment.ts';
import { waitUntil } from '../../support/waitUntil.ts';
import { getInstalledApi } from '../support/installedApi.ts';
import { getUserDataFolder, readTexts } from '../support/userData.ts';

const getSettings = () => vscode.workspace.getConfiguration('agentWorkbench');
const getConnectionEntries = () => getSettings().get<ConnectionEntry[]>('connections') ?? [];

describe('signing in to a Dify server in the installed extension', () => {
	let fake: DifyDeployment;
	const runCommand = async (name: string, answers: Answers, ...args: unknown[]): Promise<Shown> =>
		answerDialogs(answers, async () => vscode.commands.executeCommand(`agentWorkbench.${name}`, ...args), getInstalledApi());

	beforeEach(async () => {
		fake = new DifyDeployment({ release: '1.18.0', deviceInterval: 0 });
		await fake.start();
	});
	afterEach(async () => {
		await getSettings().update('connections', undefined, vscode.ConfigurationTarget.Global);
		await fake.stop();
		assert.deepEqual(fake.errors, []);
	});

	it('signs in when the connection is added, keeps the token only in the keyring, and signs out when it is removed', async () => {
		const waiting = setInterval(() => fake.sessions.logins.at(-1)?.state === 'pending' && fake.sessions.approveLogin(), 20);
		try {
			const shown = await runCommand('connection.add', {
				picks: ['Dify', `${fake.origin}/v1`, 'A whole workspace', '$(globe) Browser'],
				texts: ['Team'],
				button: 'Copy code',
			});
			assert.deepEqual(shown.errors, []);
			assert.match(shown.infos.at(-1)!, /^Signed in to 'Team' until /);
		} finally {
			clearInterval(waiting);
		}
		assert.deepEqual(
			getConnectionEntries().map(({ name, kind, baseUrl }) => ({ name, kind, baseUrl })),
			[{ name: 'Team', kind: 'dify', baseUrl: `${fake.origin}/v1` }],
		);
		const [token] = fake.sessions.tokens;
		assert.ok(token && !token.revoked);
		// the window's logs, and the files of its state and settings
		const seen = [JSON.stringify(getSettings().inspect('connections')), ...readTexts(getUserDataFolder())];
		assert.ok(
			seen.some(text => text.includes('/openapi/v1/oauth/device/token')),
			'the log is among them',
		);
		assert.deepEqual(
			seen.filter(text => text.includes(token.token)),
			[],
		);
		const removed = await runCommand('connection.remove', { button: 'Remove' }, 'team');
		assert.deepEqual(removed.errors, []);
		assert.deepEqual(getConnectionEntries(), []);
		await waitUntil('the token is revoked', () => token.revoked);
	});
});
