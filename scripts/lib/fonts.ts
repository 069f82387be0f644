import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { installFolderOnce } from './installOnce.ts';
import { cacheFolder } from './paths.ts';
import type { Workbench } from './workbench.ts';

const files = ['DejaVuSans', 'DejaVuSans-Bold', 'DejaVuSans-Oblique', 'DejaVuSansMono', 'DejaVuSansMono-Bold'];

export interface FontOptions {
	/** Includes fonts for Chinese and Japanese: Debian's fonts-noto-cjk if installed, or else fonts from npm (86 MB, once). */
	readonly hanFonts?: boolean;
}

/**
 * Sets up the same fonts for every browser on Linux, so that screenshots don't depend on the machine. Chromium crashes on a machine
 * without fonts.
 * @returns the environment that makes fontconfig use them
 */
export async function createFontEnvironment(workbench: Workbench, { hanFonts = false }: FontOptions = {}): Promise<Record<string, string>> {
	if (process.platform !== 'linux') {
		return {};
	}
	const folder = path.join(workbench.folder, 'fonts');
	const configuration = path.join(workbench.folder, hanFonts ? 'fonts-han.conf' : 'fonts.conf');
	const folders = hanFonts ? [folder, await ensureHanFonts()] : [folder];
	const content = formatConfiguration(folders);
	// the folders change when the checkout moves
	if (!fs.existsSync(configuration) || fs.readFileSync(configuration, 'utf8') !== content) {
		fs.mkdirSync(folder, { recursive: true });
		for (const file of files) {
			fs.copyFileSync(path.join(workbench.folder, `node_modules/dejavu-fonts-ttf/ttf/${file}.ttf`), path.join(folder, `${file}.ttf`));
		}
		const unfinished = `${configuration}.${process.pid}`;
		fs.writeFileSync(unfinished, content);
		fs.renameSync(unfinished, configuration);
	}
	return { FONTCONFIG_FILE: configuration };
}

/** Returns a folder with a font for simplified Chinese and one for Japanese. */
async function ensureHanFonts(): Promise<string> {
	const installed = '/usr/share/fonts/opentype/noto';
	if (fs.existsSync(path.join(installed, 'NotoSansCJK-Regular.ttc'))) {
		return installed;
	}
	const folder = path.join(cacheFolder, 'han-fonts-0.4.3');
	await installFolderOnce(folder, async unfinished => {
		const packages = ['sc', 'jp'].map(language => `@expo-google-fonts/noto-sans-${language}@0.4.3`);
		await promisify(execFile)('npm', ['install', '--prefix', unfinished, '--ignore-scripts', '--no-audit', '--no-fund', ...packages]);
		for (const file of fs.globSync('node_modules/@expo-google-fonts/*/400Regular/*.ttf', { cwd: unfinished })) {
			fs.renameSync(path.join(unfinished, file), path.join(unfinished, path.basename(file)));
		}
		fs.rmSync(path.join(unfinished, 'node_modules'), { recursive: true });
	});
	return folder;
}

const formatConfiguration = (folders: readonly string[]) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${folders.map(folder => `\t<dir>${folder}</dir>`).join('\n')}
	<cachedir>${folders[0]}-cache</cachedir>
	<alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
	<match target="pattern"><edit name="family" mode="append_last"><string>DejaVu Sans</string></edit></match>
</fontconfig>
`;
