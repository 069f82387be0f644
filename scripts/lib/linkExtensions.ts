import fs from 'node:fs';
import path from 'node:path';

/**
 * Installs unpacked extensions as links in VS Code's extensions folder, so that a rebuilt one needs only a window reload.
 * @param extensions their folders
 */
export function linkExtensions(extensions: readonly string[], folder: string): void {
	fs.mkdirSync(folder, { recursive: true });
	for (const extension of extensions) {
		const { publisher, name, version } = JSON.parse(fs.readFileSync(path.join(extension, 'package.json'), 'utf8')) as Record<
			string,
			string
		>;
		fs.symlinkSync(extension, path.join(folder, `${publisher}.${name}-${version}`), 'junction');
	}
}

/**
 * Fills a folder with links to VS Code's built-in extensions, and to others that VS Code should treat as built-in.
 * @param own folder of the built-in extensions
 * @param others folders of the other extensions
 * @param leftOut names of folders in `own` to leave out
 */
export function linkBuiltInExtensions(own: string, others: readonly string[], folder: string, leftOut: readonly string[] = []): void {
	fs.mkdirSync(folder, { recursive: true });
	const kept = fs.readdirSync(own).filter(name => !leftOut.includes(name));
	for (const extension of [...kept.map(name => path.join(own, name)), ...others]) {
		if (fs.statSync(extension).isDirectory()) {
			fs.symlinkSync(extension, path.join(folder, path.basename(extension)), 'junction');
		}
	}
}
