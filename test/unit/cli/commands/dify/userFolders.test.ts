import assert from 'node:assert/strict';
import path from 'node:path';
import { getConfigFolder, getStateFolder } from '#cli/commands/dify/userFolders.ts';

describe("the command line's folders of a user", () => {
	const home = path.resolve('/home/ana');
	const listFolders = (platform: NodeJS.Platform, environment: NodeJS.ProcessEnv = {}) =>
		[getConfigFolder, getStateFolder].map(get => path.relative(home, get({ environment, platform, home })).replaceAll(path.sep, '/'));

	it("are where each system's programs have them", () => {
		assert.deepEqual(listFolders('linux'), ['.config/agent-workbench', '.local/state/agent-workbench']);
		assert.deepEqual(listFolders('darwin'), ['.config/agent-workbench', 'Library/Application Support/agent-workbench']);
		assert.deepEqual(listFolders('win32'), ['AppData/Roaming/agent-workbench', 'AppData/Local/agent-workbench']);
	});

	it('are those of the environment if it names some', () => {
		const inHome = (name: string) => path.join(home, name);
		const environment = { XDG_CONFIG_HOME: inHome('c'), XDG_STATE_HOME: inHome('s'), APPDATA: inHome('r'), LOCALAPPDATA: inHome('l') };
		assert.deepEqual(listFolders('linux', environment), ['c/agent-workbench', 's/agent-workbench']);
		assert.deepEqual(listFolders('win32', environment), ['r/agent-workbench', 'l/agent-workbench']);
	});
});
