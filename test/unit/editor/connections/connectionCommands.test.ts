import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ServiceKind } from '#contract/serviceKinds.ts';
import { askForBaseUrl } from '#editor/connections/commands/connectionFields.ts';
import { getKindFacts } from '#editor/connections/kindFacts.ts';
import { answerDialogs, type Shown } from '../../../support/editor/answers.ts';
import { ConnectionsUnderTest } from '../../../support/editor/connectionsUnderTest.ts';
import { recordCommands } from '../../../support/editor/recordedCommands.ts';
import { PlayedService } from '../../../support/services/playedService.ts';

const secret = 'sk-very-secret-0123456789';

describe('connection commands', () => {
	let window: ConnectionsUnderTest;
	let service: PlayedService;
	beforeEach(async () => {
		window = new ConnectionsUnderTest();
		service = new PlayedService();
		service.key = secret;
		await service.start();
	});
	afterEach(async () => {
		await window.dispose();
		await service.stop();
	});
	const getKeys = (id: string) => window.keys.get({ id, baseUrl: service.url });

	it('adds a connection, asks for its key, checks it and tests it', async () => {
		const shown = await answerDialogs(
			{ picks: ['Gateway', 'Same key for all'], texts: [`${service.url}/`, 'Production', 'wrong key', secret] },
			() => window.actions.add(),
		);
		assert.deepEqual(window.settings.listEntries(), [{ id: 'production', name: 'Production', kind: 'gateway', baseUrl: service.url }]);
		assert.deepEqual(shown.refusals, ["'Production' refused this key."]);
		assert.deepEqual(await getKeys('production'), { agent: secret, messages: secret, content: secret });
		assert.match(shown.infos[0] ?? '', /^'Production' responded in \d+ ms\. Key accepted\.$/);
		assert.deepEqual(shown.errors, []);
	});

	it('asks for an optional key only if the service refuses a request without one', async () => {
		const texts = [service.url, 'Hosted', secret];
		const shown = await answerDialogs({ picks: ['OpenAI-compatible service', 'Other address…'], texts }, () => window.actions.add());
		assert.match(shown.infos[0] ?? '', /^'Hosted' responded in \d+ ms\. Key accepted\.$/);
		service.key = undefined;
		const local = await answerDialogs({ picks: ['OpenAI-compatible service', 'Other address…'], texts: [service.url, 'Local'] }, () =>
			window.actions.add(),
		);
		assert.match(local.infos[0] ?? '', /^'Local' responded in \d+ ms/);
	});

	it('keeps the connection if the user cancels the key prompt', async () => {
		await answerDialogs({ picks: ['Gateway', undefined], texts: [service.url, 'Later'] }, () => window.actions.add());
		assert.deepEqual(
			window.settings.listEntries().map(({ name }) => name),
			['Later'],
		);
		await assert.rejects(window.registry.listAgents('later'), { reason: 'key-missing' });
	});

	for (const [kept, old] of [
		['missing', undefined],
		['revoked', 'sk-revoked'],
	] as const) {
		it(`makes requests wait while a key that is ${kept} is being typed, and asks only once`, async () => {
			const entry = await window.addConnection({ baseUrl: service.url }, old);
			const shown = await answerDialogs({ picks: ['Same key for all'], texts: [secret] }, async () => {
				const asked = window.actions.setKey(entry);
				const client = await window.registry.getClient(entry.id);
				assert.equal(await asked, true);
				await client.listAgents();
			});
			assert.deepEqual([shown.placeHolders.length, service.credentials.at(-1)], [1, secret]);
		});
	}

	it('lets waiting requests continue without a key after the user cancels', async () => {
		const entry = await window.addConnection({ baseUrl: service.url });
		const shown = await answerDialogs({ picks: [undefined] }, async () => {
			const asked = window.actions.setKey(entry);
			await assert.rejects(window.registry.getClient(entry.id), { reason: 'key-missing' });
			assert.equal(await asked, false);
		});
		assert.equal(shown.placeHolders.length, 1);
	});

	for (const wrong of ['not an address', 'ftp://host', 'https://ana:secret@host']) {
		it(`rejects the base URL '${wrong}'`, async () => {
			const shown = await answerDialogs({ picks: ['Gateway'], texts: [wrong] }, () => window.actions.add());
			assert.match(shown.refusals[0] ?? '', /^Enter an https/);
			assert.deepEqual(window.settings.listEntries(), []);
		});
	}

	it('accepts an address that is pasted into the list of known ones', async () => {
		service.key = undefined;
		const shown = await answerDialogs({ picks: ['Anthropic-compatible server', `${service.url}/`], texts: ['Mine'] }, () =>
			window.actions.add(),
		);
		assert.deepEqual(window.settings.listEntries(), [{ id: 'mine', name: 'Mine', kind: 'anthropic-compatible', baseUrl: service.url }]);
		assert.match(shown.errors.join(), /^$/);
	});

	it('offers to change to the kind of the responding service, and keeps key and name', async () => {
		const entry = await window.addConnection({ baseUrl: service.url, kind: 'dify' }, secret);
		const shown = await answerDialogs({ button: 'Change kind' }, () => window.actions.testConnection(entry));
		assert.match(shown.warnings[0] ?? '', /^'Played' is set up as 'Dify', but .* responds as 'Gateway'\.$/);
		assert.equal(window.settings.listEntries()[0]?.kind, 'gateway');
		assert.match(shown.infos.at(-1) ?? '', /Key accepted/);
		assert.deepEqual(await getKeys(entry.id), { agent: secret, messages: secret, content: secret });
	});

	it("doesn't change a connection that was removed or moved while the offer was open", async () => {
		const entry = await window.addConnection({ baseUrl: service.url, kind: 'dify' }, secret);
		const { showWarningMessage } = vscode.window;
		const acceptAfterChange = async (work: () => Promise<void>) => {
			Object.assign(vscode.window, {
				showWarningMessage: async (_question: string, change: string) => {
					await work();
					return change;
				},
			});
			await window.actions.testConnection(entry).catch(() => undefined);
			Object.assign(vscode.window, { showWarningMessage });
		};
		const moved = { ...entry, name: 'Moved', baseUrl: 'http://127.0.0.1:9' };
		await acceptAfterChange(() => window.settings.saveEntry(moved));
		assert.deepEqual(window.settings.listEntries(), [moved]);
		await window.settings.saveEntry(entry);
		await acceptAfterChange(() => window.settings.saveEntry({ ...entry, name: 'Renamed' }));
		assert.deepEqual(window.settings.listEntries(), [{ ...entry, name: 'Renamed', kind: 'gateway' }]);
		await window.settings.saveEntry(entry);
		await acceptAfterChange(() => window.settings.removeEntries([entry.id]));
		assert.deepEqual(window.settings.listEntries(), []);
	});

	it("offers no other kind if the service isn't reachable, and changes nothing without asking", async () => {
		const entry = await window.addConnection({ baseUrl: service.url, kind: 'dify' }, secret);
		await answerDialogs({}, () => window.actions.testConnection(entry));
		assert.equal(window.settings.listEntries()[0]?.kind, 'dify');
		const away = await window.addConnection({ baseUrl: 'http://127.0.0.1:9', kind: 'dify' }, secret);
		await answerDialogs({}, () => assert.rejects(window.actions.testConnection(away), { reason: 'network' }));
	});

	it('reports that no key was sent', async () => {
		service.key = undefined;
		const entry = await window.addConnection({ baseUrl: service.url, kind: 'anthropic-compatible' });
		const shown = await answerDialogs({}, () => window.actions.testConnection(entry));
		assert.match(shown.infos[0] ?? '', /^'Played' responded in \d+ ms\. No key is set, so none was sent\.$/);
	});

	it('changes the kind, and asks for a key only if there is none', async () => {
		const entry = await window.addConnection({ baseUrl: service.url, kind: 'anthropic' }, secret);
		await answerDialogs({ picks: ['Kind', 'Gemini'] }, () => window.actions.editConnection(entry));
		assert.equal(window.settings.listEntries()[0]?.kind, 'gemini');
		assert.deepEqual(await getKeys(entry.id), { content: secret });
	});

	it('copies the configuration for another program, including the key', async () => {
		const entry = await window.addConnection({ baseUrl: service.url }, secret);
		const copied: string[] = [];
		const { clipboard } = vscode.env;
		Object.defineProperty(vscode.env, 'clipboard', {
			configurable: true,
			value: { writeText: async (text: string) => void copied.push(text) },
		});
		try {
			const shown = await answerDialogs({ picks: ['Gemini CLI'] }, () => window.actions.useConnectionIn(entry.id));
			await answerDialogs({}, () => window.actions.copyEndpoint(entry.id));
			assert.ok(!shown.infos.join().includes(secret));
		} finally {
			Object.defineProperty(vscode.env, 'clipboard', { configurable: true, value: clipboard });
		}
		assert.ok(copied[0]?.includes(service.url) && copied[0].includes(secret), copied[0]);
		assert.equal(copied[1], `${service.url}\n${secret}`);
	});

	it('sets one key per endpoint group', async () => {
		const entry = await window.addConnection({ baseUrl: service.url });
		service.key = undefined;
		await answerDialogs({ picks: ['Separate keys'], texts: ['key-a', 'key-m', 'key-c'] }, () => window.actions.setKey(entry));
		assert.deepEqual(await getKeys(entry.id), { agent: 'key-a', messages: 'key-m', content: 'key-c' });
		assert.deepEqual(new Set(service.credentials), new Set(['key-a', 'key-m', 'key-c']));
	});

	it("saves a key unchecked on a second Enter if the service can't be reached", async () => {
		const entry = await window.addConnection({ baseUrl: 'http://127.0.0.1:9' });
		const shown = await answerDialogs({ picks: ['Same key for all'], texts: [secret, secret] }, () => window.actions.setKey(entry));
		assert.match(shown.refusals[0] ?? '', /ECONNREFUSED.*Press Enter again to save the key unchecked\.$/);
		assert.equal((await window.keys.get(entry)).agent, secret);
	});

	it('asks for a missing key when it is needed', async () => {
		const entry = await window.addConnection({ baseUrl: service.url });
		await answerDialogs({ picks: ['Same key for all'], texts: [secret] }, () => window.registry.getClient(entry.id));
		assert.equal((await getKeys(entry.id)).agent, secret);
		await window.keys.removeKeys(entry.id);
		await answerDialogs({ picks: [undefined] }, () => assert.rejects(window.registry.getClient(entry.id), { reason: 'key-missing' }));
	});

	it('warns if the keyring fails', async () => {
		const entry = await window.addConnection({ baseUrl: service.url });
		window.secrets.broken = true;
		const shown = await answerDialogs({ picks: ['Same key for all'], texts: [secret] }, () => window.actions.setKey(entry));
		assert.match(
			shown.warnings[0] ?? '',
			/^Couldn't save the key for 'Played' in the system keyring \(no keyring here\)\. It's kept until this window closes\./,
		);
	});

	it('removes keys after the user confirms', async () => {
		const entry = await window.addConnection({ baseUrl: service.url }, secret);
		const unsure = await answerDialogs({}, () => window.actions.removeKey(entry));
		assert.deepEqual(unsure.warnings, ["Remove the key for 'Played'?"]);
		assert.equal((await window.secrets.keys()).length, 1);
		await answerDialogs({ button: 'Remove key' }, () => window.actions.removeKey(entry));
		assert.deepEqual(await window.secrets.keys(), []);
	});

	it('forgets the key when the base URL moves to another origin, and asks for the new one', async () => {
		const entry = await window.addConnection({ baseUrl: service.url }, secret);
		const elsewhere = new PlayedService();
		await elsewhere.start();
		await answerDialogs({ picks: ['Base URL', 'Same key for all'], texts: [elsewhere.url, 'new key'] }, () =>
			window.actions.editConnection(entry),
		);
		assert.equal(window.settings.listEntries()[0]?.baseUrl, elsewhere.url);
		assert.deepEqual(await window.secrets.keys(), [`key played ${elsewhere.url}`]);
		assert.ok(!elsewhere.credentials.includes(secret));
		await elsewhere.stop();
	});

	it('edits name, user and agents, one at a time', async () => {
		const entry = await window.addConnection({ baseUrl: service.url }, secret);
		const editField = async (pick: string, text: string) => {
			const [current] = window.settings.listEntries();
			await answerDialogs({ picks: [pick], texts: [text] }, () => window.actions.editConnection(current ?? entry));
		};
		await editField('Name', ' Renamed ');
		await editField('User', 'ana');
		await editField('Agents', 'b, a, b');
		assert.deepEqual(window.settings.listEntries()[0], { ...entry, name: 'Renamed', user: 'ana', agents: ['b', 'a'] });
		assert.equal(window.registry.get('played')?.user, 'ana');
		await editField('User', '');
		assert.equal(window.registry.get('played')?.user, os.userInfo().username);
		assert.equal((await getKeys('played')).agent, secret, 'the key stays');
	});

	it('removes connections with their keys after the user confirms', async () => {
		const entry = await window.addConnection({ baseUrl: service.url }, secret);
		const unsure = await answerDialogs({}, () => window.actions.removeConnections({ connectionId: entry.id }, undefined));
		assert.equal(unsure.warnings[0], "Remove the connection 'Played' and its key?");
		assert.equal(window.settings.listEntries().length, 1);
		await window.addConnection({ id: 'second', name: 'Second', baseUrl: service.url }, secret);
		const selected = [{ connectionId: 'played' }, { connectionId: 'second' }];
		const { executeCommand } = vscode.commands;
		Object.assign(vscode.commands, { executeCommand: async (command: string) => assert.fail(`${command}, although there is no sign-in`) });
		const sure = await answerDialogs({ button: 'Remove' }, () => window.actions.removeConnections(selected[0], selected)).finally(() =>
			Object.assign(vscode.commands, { executeCommand }),
		);
		assert.equal(sure.warnings[0], 'Remove 2 connections and their keys?');
		assert.deepEqual(window.settings.listEntries(), []);
		assert.deepEqual(await window.secrets.keys(), []);
	});

	it('switches the default connection', async () => {
		await window.addConnection({ baseUrl: service.url }, secret);
		assert.equal(window.registry.getDefault().id, 'built-in');
		await answerDialogs({ picks: ['Played'] }, () => window.actions.selectDefault(undefined));
		assert.equal(window.registry.getDefault().id, 'played');
		await window.settings.removeEntries(['played']);
		assert.equal(window.registry.getDefault().id, 'built-in', 'one that is gone');
	});

	it('imports a key from a selected environment variable', async () => {
		const entry = await window.addConnection({ baseUrl: service.url });
		process.env['PLAYED_API_KEY'] = secret;
		try {
			await answerDialogs({ picks: ['PLAYED_API_KEY'] }, () => window.actions.importKey(entry));
		} finally {
			delete process.env['PLAYED_API_KEY'];
		}
		assert.equal((await getKeys(entry.id)).agent, secret);
	});

	it('imports a key from a .env file, but not one that the service refuses', async () => {
		const entry = await window.addConnection({ baseUrl: service.url });
		const file = path.join(window.dataFolder, '.env');
		fs.writeFileSync(file, `# keys\nexport GOOD_KEY="${secret}"\nBAD_TOKEN=nonsense # old\nNAME=x\n`);
		const files = [vscode.Uri.file(file)];
		await answerDialogs({ picks: ['From a .env file…', 'BAD_TOKEN'], files }, () =>
			assert.rejects(window.actions.importKey(entry), { reason: 'auth', message: "'Played' refused the key in BAD_TOKEN." }),
		);
		assert.deepEqual(await window.secrets.keys(), []);
		await answerDialogs({ picks: ['From a .env file…', 'GOOD_KEY'], files }, () => window.actions.importKey(entry));
		assert.equal((await getKeys(entry.id)).messages, secret);
	});

	it('adds agents from run files or typed names, and removes one again', async () => {
		service.agents = undefined;
		const entry = await window.addConnection({ baseUrl: service.url }, secret);
		window.runFileAgents = ['summarize'];
		await answerDialogs({ picks: ['summarize'] }, () => window.actions.addAgents(entry));
		await answerDialogs({ picks: ['$(edit) Enter names…'], texts: ['translate, summarize'] }, () =>
			window.actions.addAgents(window.settings.listEntries()[0]!),
		);
		assert.deepEqual(
			(await window.registry.listAgents(entry.id)).map(({ name }) => name),
			['summarize', 'translate'],
		);
		await window.actions.removeAgent({ connectionId: entry.id, agentName: 'summarize' });
		assert.deepEqual(window.settings.listEntries()[0]?.agents, ['translate']);
		await assert.rejects(window.actions.removeAgent({ connectionId: entry.id, agentName: 'other' }), { reason: 'not-in-settings' });
	});

	it('tests a connection, and shows a problem with its remedy', async () => {
		const entry = await window.addConnection({ baseUrl: service.url }, 'outdated');
		await assert.rejects(window.actions.testConnection(entry), {
			reason: 'auth',
			message: /^'Played' refused the key \(401\)\.$/,
			remedy: { title: 'Replace key', command: 'agentWorkbench.connection.setKey', arguments: ['played'] },
		});
		await window.settings.saveEntry({ ...entry, baseUrl: 'http://127.0.0.1:9' });
		await window.keys.set({ ...entry, baseUrl: 'http://127.0.0.1:9' }, { agent: secret });
		await assert.rejects(window.actions.testConnection(window.settings.listEntries()[0]!), {
			reason: 'network',
			message: /'Played': .*127\.0\.0\.1:9.*ECONNREFUSED/,
			remedy: { title: 'Edit connection', command: 'agentWorkbench.connection.edit', arguments: ['played'] },
		});
	});

	it('reports a missing key instead of a refused one', async () => {
		const entry = await window.addConnection({ baseUrl: service.url, kind: 'openai' });
		await assert.rejects(window.actions.testConnection(entry), {
			reason: 'key-missing',
			message: "'Played' requires a key, but none is set.",
			remedy: { title: 'Set key', command: 'agentWorkbench.connection.setKey', arguments: ['played'] },
		});
		await window.keys.set(entry, { messages: 'wrong' });
		await assert.rejects(window.actions.testConnection(entry), { message: /^'Played' refused the key \(401\)\.$/ });
	});

	it('reports the kind of service that accepts a refused key, saves it, and offers to change the kind', async () => {
		service.keyHeader = 'x-api-key';
		service.models = [{ id: 'a', type: 'model', display_name: 'A' }];
		const entry = await window.addConnection({ baseUrl: service.url, kind: 'openai' });
		let shown: Shown | undefined;
		const executed = await recordCommands(async () => {
			shown = await answerDialogs({ texts: ['wrong key', secret, secret] }, () => window.actions.setKey(entry));
		});
		assert.deepEqual(shown?.refusals, [
			"'Played' refused this key.",
			"'Played' is set up as 'OpenAI-compatible service', but accepts this key as 'Anthropic-compatible server'. Press Enter again to save the key. You can then change the kind.",
		]);
		assert.deepEqual(executed, [['agentWorkbench.connection.test', 'played']]);
		const tested = await answerDialogs({ buttons: ['Change kind'] }, () => window.actions.testConnection(entry));
		assert.match(tested.infos[0] ?? '', /Key accepted/);
		assert.equal(window.settings.listEntries()[0]?.kind, 'anthropic-compatible');
	});

	it('explains the base URL for each kind of service', async () => {
		const prompts: unknown[] = [];
		const { showInputBox } = vscode.window;
		for (const kind of Object.keys(getKindFacts()) as ServiceKind[]) {
			Reflect.set(
				vscode.window,
				'showInputBox',
				async ({ prompt, placeHolder }: vscode.InputBoxOptions) => void prompts.push([kind, prompt, placeHolder]),
			);
			await askForBaseUrl('Edit', kind, 'http://localhost').finally(() => Reflect.set(vscode.window, 'showInputBox', showInputBox));
		}
		assert.match(String(prompts.find(each => String(each).startsWith('gemini'))), /\/v1beta\/models.*generativelanguage/);
		assert.match(String(prompts.find(each => String(each).startsWith('openai'))), /ends with \/v1.*\/v1$/);
		assert.match(String(prompts.find(each => String(each).startsWith('dify'))), /API Access.*\/v1$/);
	});
});
