// Finds a desktop VS Code. It runs the same tests as the workbench if it is installed and a screen is available.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { findProgramsOnPath } from './findOnPath.ts';
import { cacheFolder, root } from './paths.ts';

export interface Desktop {
	executable: string;
	/** For example "1.139.1 (desktop, /usr/share/code/code)". */
	version: string;
}

/** True if a window can be shown. */
export const hasScreen = (): boolean =>
	process.platform !== 'linux' || Boolean(process.env['DISPLAY']) || Boolean(process.env['WAYLAND_DISPLAY']);

/**
 * Finds the desktop VS Code in VSCODE_EXECUTABLE, or else an installed one, or else downloads one with @vscode/test-electron. If
 * VSCODE_RELEASE names a release, an installed one isn't used.
 * @throws if none is found
 */
export async function findDesktop(): Promise<Desktop> {
	const named = process.env['VSCODE_EXECUTABLE'];
	if (named && !fs.existsSync(named)) {
		throw new Error(`VSCODE_EXECUTABLE names a VS Code that is not there: ${named}`);
	}
	const release = process.env['VSCODE_RELEASE'];
	const executable = named || (!release && findInstalledDesktop()) || (await downloadDesktop(getDesktopVersion(release)));
	return { executable, version: `${readVersion(executable)} (desktop, ${executable})` };
}

function findInstalledDesktop(): string | undefined {
	return [...listUsualLocations(), ...findProgramsOnPath('code').map(findExecutable)].find(
		file => file !== undefined && fs.existsSync(file),
	);
}

function listUsualLocations(): string[] {
	switch (process.platform) {
		case 'darwin':
			return ['/Applications/Visual Studio Code.app/Contents/MacOS/Code', '/Applications/Visual Studio Code.app/Contents/MacOS/Electron'];
		case 'win32':
			return [process.env['LOCALAPPDATA'], process.env['PROGRAMFILES']]
				.filter(folder => folder !== undefined)
				.flatMap(folder => [path.join(folder, 'Programs/Microsoft VS Code/Code.exe'), path.join(folder, 'Microsoft VS Code/Code.exe')]);
		default:
			return ['/usr/share/code/code', '/opt/visual-studio-code/code'];
	}
}

/** Returns the executable for the script `code`, which is in the folder bin next to it (on macOS, in its package). */
function findExecutable(script: string): string | undefined {
	const application = path.resolve(path.dirname(fs.realpathSync(script)), '..');
	const candidates = ['code', 'Code.exe', '../../MacOS/Code', '../../MacOS/Electron'].map(file => path.join(application, file));
	return candidates.find(file => fs.existsSync(file) && fs.statSync(file).isFile());
}

/** Returns what to download for a release: `oldest` is the oldest version that package.json's engines allow. */
export function getDesktopVersion(release = 'stable'): string {
	if (release !== 'oldest') {
		return release || 'stable';
	}
	const { engines } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { engines: { vscode: string } };
	return engines.vscode.replace('^', '');
}

async function downloadDesktop(version: string): Promise<string> {
	const { downloadAndUnzipVSCode } = await import('@vscode/test-electron');
	return downloadAndUnzipVSCode({ version, cachePath: cacheFolder, timeout: 15_000 });
}

/** Reads the version from files, because `--version` opens a window on some platforms. */
function readVersion(executable: string): string {
	const folder = path.dirname(executable);
	for (const place of ['resources/app', '../Resources/app']) {
		const manifest = path.join(folder, place, 'package.json');
		if (fs.existsSync(manifest)) {
			return (JSON.parse(fs.readFileSync(manifest, 'utf8')) as { version: string }).version;
		}
	}
	const { stdout } = spawnSync(executable, ['--version'], {
		encoding: 'utf8',
		timeout: 15_000,
		env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
	});
	return stdout?.split('\n')[0] || 'of unknown version';
}

/** Returns command-line arguments that isolate a desktop VS Code from the user's data and suppress prompts. */
export function createIsolationArguments(folder: string): string[] {
	return [
		...['--user-data-dir', path.join(folder, 'user'), '--extensions-dir', path.join(folder, 'extensions')],
		...['--disable-workspace-trust', '--skip-welcome', '--skip-release-notes', '--disable-updates', '--password-store=basic'],
		// Chromium refuses to run as root with its sandbox
		...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
	];
}
