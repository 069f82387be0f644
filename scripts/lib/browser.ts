import fs from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { unpackBundledBrowser } from './bundledBrowser.ts';
import { findProgramsOnPath } from './findOnPath.ts';
import { createFontEnvironment, type FontOptions } from './fonts.ts';
import { ensureWorkbench, type Workbench } from './workbench.ts';

const switches = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--force-color-profile=srgb',
	'--font-render-hinting=none',
	// pages can't load anything from other machines; intercepting requests would add a round trip to each and disable the HTTP cache
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

/**
 * Starts a headless Chromium or Chrome without network access: the browser in CHROMIUM, or else an installed one, or else (on Linux x64)
 * the one from npm.
 * @param options `hanFonts`: with fonts for Chinese and Japanese
 * @throws if there is none
 */
export async function launchBrowser(options: FontOptions = {}): Promise<Browser> {
	const workbench = await ensureWorkbench();
	const { executable, environment } = await findBrowser(workbench);
	return chromium.launch({
		executablePath: executable,
		env: dropUndefinedValues({ ...process.env, ...(await createFontEnvironment(workbench, options)), ...environment }),
		args: switches,
	});
}

async function findBrowser(workbench: Workbench): Promise<{ executable: string; environment: Record<string, string> }> {
	const named = process.env['CHROMIUM'];
	if (named) {
		if (!fs.existsSync(named)) {
			throw new Error(`CHROMIUM names a browser that is not there: ${named}`);
		}
		return { executable: named, environment: {} };
	}
	const installed = listInstalledBrowsers().find(candidate => fs.existsSync(candidate));
	const found = installed ? { executable: installed, environment: {} } : await unpackBundledBrowser(workbench);
	if (!found) {
		throw new Error('No Chromium or Chrome on this machine, and npm carries none for it: install one, or name it with CHROMIUM');
	}
	return found;
}

function listInstalledBrowsers(): string[] {
	switch (process.platform) {
		case 'darwin':
			return [
				'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
				'/Applications/Chromium.app/Contents/MacOS/Chromium',
				'/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
			];
		case 'win32': {
			const folders = [process.env['PROGRAMFILES'], process.env['PROGRAMFILES(X86)'], process.env['LOCALAPPDATA']].filter(
				f => f !== undefined,
			);
			return folders.flatMap(f => [
				path.join(f, 'Google/Chrome/Application/chrome.exe'),
				path.join(f, 'Microsoft/Edge/Application/msedge.exe'),
			]);
		}
		default: {
			const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
			return names.flatMap(name => [path.join('/usr/bin', name), ...findProgramsOnPath(name)]);
		}
	}
}

function dropUndefinedValues(environment: NodeJS.ProcessEnv): Record<string, string> {
	return Object.fromEntries(Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
