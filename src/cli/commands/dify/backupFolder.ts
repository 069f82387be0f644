import os from 'node:os';
import path from 'node:path';

/** Where this account's programs keep their state; texts that are about to be overwritten are kept below it. Absolute. */
export function backupFolder(environment: NodeJS.ProcessEnv): string {
	const home = os.homedir();
	const states: Partial<Record<NodeJS.Platform, string>> = {
		win32: environment['LOCALAPPDATA'] || path.join(home, 'AppData', 'Local'),
		darwin: path.join(home, 'Library', 'Application Support'),
	};
	const state = states[process.platform] ?? (environment['XDG_STATE_HOME'] || path.join(home, '.local', 'state'));
	return path.join(state, 'agent-workbench', 'dify-backups');
}
