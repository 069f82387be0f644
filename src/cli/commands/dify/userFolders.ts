import os from 'node:os';
import path from 'node:path';

/** Facts that determine where a user's folders are. */
interface UserMachine {
	readonly environment: NodeJS.ProcessEnv;
	readonly platform?: NodeJS.Platform;
	readonly home?: string;
}

/** Returns the folder for the configuration of this program. */
export function getConfigFolder({ environment, platform = process.platform, home = os.homedir() }: UserMachine): string {
	const config =
		platform === 'win32'
			? environment['APPDATA'] || path.join(home, 'AppData', 'Roaming')
			: environment['XDG_CONFIG_HOME'] || path.join(home, '.config');
	return path.join(config, 'agent-workbench');
}

/** Returns the folder for data of this program that other machines don't need. */
export function getStateFolder({ environment, platform = process.platform, home = os.homedir() }: UserMachine): string {
	const states: Partial<Record<NodeJS.Platform, string>> = {
		win32: environment['LOCALAPPDATA'] || path.join(home, 'AppData', 'Local'),
		darwin: path.join(home, 'Library', 'Application Support'),
	};
	return path.join(states[platform] ?? (environment['XDG_STATE_HOME'] || path.join(home, '.local', 'state')), 'agent-workbench');
}
