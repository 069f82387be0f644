import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { installFolderOnce } from './installOnce.ts';
import type { Workbench } from './workbench.ts';

/**
 * Unpacks the headless Chromium of the npm package @sparticuz/chromium once: Linux on x64 only.
 * @returns undefined on other systems
 */
export async function unpackBundledBrowser(
	workbench: Workbench,
): Promise<{ executable: string; environment: Record<string, string> } | undefined> {
	const packed = path.join(workbench.folder, 'node_modules/@sparticuz/chromium/bin');
	if (process.platform !== 'linux' || process.arch !== 'x64' || !fs.existsSync(packed)) {
		return undefined;
	}
	const folder = path.join(workbench.folder, 'chromium');
	await installFolderOnce(folder, async unfinished => {
		await unpackArchive(path.join(packed, 'chromium.br'), path.join(unfinished, 'chromium'));
		// shared libraries that a minimal machine lacks
		const archive = path.join(unfinished, 'al2023.tar');
		await unpackArchive(path.join(packed, 'al2023.tar.br'), archive);
		const { status, stderr } = spawnSync('tar', ['-xf', archive, '-C', unfinished], { encoding: 'utf8' });
		if (status !== 0) {
			throw new Error(`tar could not unpack the browser's libraries: ${stderr}`);
		}
		fs.rmSync(archive);
	});
	return { executable: path.join(folder, 'chromium'), environment: { LD_LIBRARY_PATH: path.join(folder, 'lib') } };
}

async function unpackArchive(from: string, to: string): Promise<void> {
	await pipeline(fs.createReadStream(from), zlib.createBrotliDecompress(), fs.createWriteStream(to, { mode: 0o755 }));
}
