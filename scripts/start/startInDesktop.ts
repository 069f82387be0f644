import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createIsolationArguments, type Desktop } from '../lib/desktop.ts';
import { linkExtensions } from '../lib/linkExtensions.ts';
import { quietSettings } from '../lib/userSettings.ts';
import { extensions, FirstRun } from './firstRun.ts';

/**
 * Starts a desktop VS Code with a separate profile, without the user's settings and extensions. Resolves when its window is closed.
 * @param where a temporary folder, and the workspace to open
 */
export async function startSamplesInDesktop(desktop: Desktop, where: { folder: string; workspace: string }): Promise<number> {
	const { folder, workspace } = where;
	linkExtensions(extensions, path.join(folder, 'extensions'));
	const settings = path.join(folder, 'user/User/settings.json');
	fs.mkdirSync(path.dirname(settings), { recursive: true });
	fs.writeFileSync(settings, JSON.stringify(quietSettings, null, '\t'));
	const child = spawn(desktop.executable, [workspace, ...createIsolationArguments(folder)], {
		stdio: 'ignore',
		env: { ...process.env, ...FirstRun.getEnvironment(folder) },
	});
	const closed = once(child, 'exit');
	process.on('exit', () => child.kill());
	const firstRun = new FirstRun(folder, path.join(folder, 'user/logs'));
	const succeeded = await Promise.race([firstRun.mirrorOutput(), closed.then(() => false)]);
	console.log('\nClose the window, or press Ctrl+C, to end');
	await closed;
	return succeeded ? 0 : 1;
}
