import fs from 'node:fs';
import path from 'node:path';

/**
 * Reads an output channel of Agent Workbench from its log file; empty if there is none.
 * @param logs the folder of VS Code's log files
 * @param channel its name, for example "Agent Runs"
 */
export function readOutputChannel(logs: string, channel: string): string {
	// VS Code drops characters from the name that are invalid in some file systems, and numbers the files of channels that aren't logs
	const name = channel.replaceAll(/[\\/:*?"<>|]/g, '');
	const files = fs.globSync('**/*.log', { cwd: logs }).filter(file => path.basename(file, '.log').replace(/^\d+-/, '') === name);
	return files.map(file => fs.readFileSync(path.join(logs, file), 'utf8')).join('');
}
