import fs from 'node:fs';
import path from 'node:path';

/**
 * All that an output channel of Agent Workbench holds, read from its log file; empty while it has none.
 * @param logs the folder of VS Code's log files
 * @param channel its name, as in "Agent Runs"
 */
export function outputChannelText(logs: string, channel: string): string {
	// VS Code leaves out of the file's name what some file system forbids, and numbers the files of channels that are no logs
	const name = channel.replaceAll(/[\\/:*?"<>|]/g, '');
	const files = fs.globSync('**/*.log', { cwd: logs }).filter(file => path.basename(file, '.log').replace(/^\d+-/, '') === name);
	return files.map(file => fs.readFileSync(path.join(logs, file), 'utf8')).join('');
}
