import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { deleteAllData } from '#editor/support/deleteAllData.ts';
import type { DataPlaces } from '#editor/support/storedData.ts';
import { answerDialogs } from '../../support/editor/answers.ts';
import { ConnectionsUnderTest, isProcessAlive } from '../../support/editor/connectionsUnderTest.ts';
import { MemoryState } from '../../support/editor/memoryState.ts';
import { waitUntil } from '../../support/waitUntil.ts';

describe('deleting all data', () => {
	let window: ConnectionsUnderTest;
	let effects: string[];
	let places: DataPlaces;
	const states = [new MemoryState(), new MemoryState()];
	const name = 'agent-workbench.agent-workbench';
	const getFolder = (...parts: string[]) => path.join(window.dataFolder, ...parts);

	beforeEach(async () => {
		window = new ConnectionsUnderTest();
		effects = [];
		places = {
			secrets: window.secrets,
			states,
			globalFolder: getFolder('globalStorage', name),
			workspaceFolder: getFolder('workspaceStorage/here', name),
		};
		await window.secrets.store('key a', '{"agent":"secret"}');
		await states[0]!.update('samples', 'x');
		for (const folder of [places.globalFolder, places.workspaceFolder!, getFolder('workspaceStorage/other', name)]) {
			fs.mkdirSync(folder, { recursive: true });
			fs.writeFileSync(path.join(folder, 'runs.json'), 'x'.repeat(3000));
		}
		fs.mkdirSync(getFolder('workspaceStorage/other/another.extension'));
	});
	afterEach(() => window.dispose());

	const deleteData = () => deleteAllData(places, { endFeatures: () => effects.push('end'), reloadWindow: () => effects.push('reload') });

	it('lists what is stored, and deletes nothing if the user cancels', async () => {
		const { warnings, details } = await answerDialogs({ buttons: [undefined] }, deleteData);
		assert.equal(warnings.length, 1);
		assert.deepEqual(details[0]?.split('\n').slice(0, 4), [
			'Keys and sign-ins in the keyring: 1',
			"Data folders with runs, chats, test results, Dify backups and the gateway's store: 3 (9 KB)",
			'Saved choices: 1',
			'Running gateways that will be stopped: 0',
		]);
		assert.deepEqual([effects, await window.secrets.keys(), fs.existsSync(places.globalFolder)], [[], ['key a'], true]);
	});

	it('ends features first, stops the gateways, and deletes secrets, memory and the folders of all workspaces', async () => {
		// the gateway of this window serves the folder of another workspace
		const served = new ConnectionsUnderTest({ dataFolder: getFolder('workspaceStorage/other', name), secrets: window.secrets });
		await served.gateway.getEndpoint();
		const gateway = served.readGatewayPid();
		const { details, errors } = await answerDialogs({ button: 'Delete all data' }, deleteData);
		assert.match(details[0]!, /Running gateways that will be stopped: 1\n/);
		assert.deepEqual([errors, effects], [[], ['end', 'reload']]);
		assert.deepEqual([await window.secrets.keys(), states.flatMap(state => state.keys())], [[], []]);
		await waitUntil('the gateway has ended', () => !isProcessAlive(gateway));
		assert.deepEqual(fs.readdirSync(getFolder('workspaceStorage/other')), ['another.extension']);
		assert.deepEqual([places.globalFolder, places.workspaceFolder!].filter(fs.existsSync), []);
		served.closeWindow();
	});

	it("says what couldn't be deleted, and reloads all the same", async () => {
		const { errors, details } = await answerDialogs({ button: 'Delete all data' }, async () => {
			window.secrets.delete = async () => {
				throw new Error('the keyring is locked');
			};
			await deleteData();
		});
		assert.deepEqual([errors, details[1]], [["Couldn't delete all data."], 'the keyring is locked']);
		assert.deepEqual(effects, ['end', 'reload']);
		assert.equal(fs.existsSync(places.globalFolder), false);
	});
});
