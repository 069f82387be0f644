import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { resolveCliArgsFromVSCodeExecutablePath, runTests } from '@vscode/test-electron';
import { createIsolationArguments, type Desktop } from './desktop.ts';
import { type HostRun, userDataVariable } from './hostRun.ts';
import { linkExtensions } from './linkExtensions.ts';
import { testSettings } from './userSettings.ts';

/**
 * Runs host tests in a desktop VS Code with a separate profile. Failed tests are reported only in the result file.
 * @returns errors from VS Code's exit; VS Code prints the rest of its output itself
 */
export async function runTestsInDesktop(desktop: Desktop, run: HostRun): Promise<string[]> {
	const isolation = createIsolationArguments(run.folder);
	const settings = path.join(run.folder, 'user/User/settings.json');
	fs.mkdirSync(path.dirname(settings), { recursive: true });
	fs.writeFileSync(settings, JSON.stringify(testSettings));
	linkExtensions(run.extensions, path.join(run.folder, 'extensions'));
	for (const file of run.packages) {
		installPackage(desktop, file, isolation);
	}
	const failed = await runTests({
		vscodeExecutablePath: desktop.executable,
		extensionDevelopmentPath: run.development,
		extensionTestsPath: run.tests,
		extensionTestsEnv: { ...run.environment, [userDataVariable]: path.join(run.folder, 'user') },
		launchArgs: [run.workspace, ...isolation],
	}).catch(error => error);
	return failed ? [`VS Code ended with: ${failed instanceof Error ? failed.message : String(failed)}`] : [];
}

function installPackage(desktop: Desktop, file: string, isolation: readonly string[]): void {
	const [command, ...args] = resolveCliArgsFromVSCodeExecutablePath(desktop.executable, { reuseMachineInstall: true });
	const { status, stdout, stderr } = spawnSync(command!, [...args, ...isolation, '--install-extension', file], {
		encoding: 'utf8',
		shell: process.platform === 'win32',
	});
	if (status !== 0) {
		throw new Error(`VS Code did not install ${file}:\n${stdout}${stderr}`);
	}
}
