import fs from 'node:fs';
import path from 'node:path';
import type { Workbench } from './workbench.ts';

const files = ['DejaVuSans', 'DejaVuSans-Bold', 'DejaVuSans-Oblique', 'DejaVuSansMono', 'DejaVuSansMono-Bold'];

/**
 * One set of fonts for every browser on Linux, so that a screenshot does not depend on the machine. Chromium ends at once on a machine that has none.
 * @returns the environment that makes fontconfig use them
 */
export function fontEnvironment(workbench: Workbench): Record<string, string> {
	if (process.platform !== 'linux') {
		return {};
	}
	const folder = path.join(workbench.folder, 'fonts');
	const configuration = path.join(workbench.folder, 'fonts.conf');
	if (!fs.existsSync(configuration)) {
		fs.mkdirSync(folder, { recursive: true });
		for (const file of files) {
			fs.copyFileSync(path.join(workbench.folder, `node_modules/dejavu-fonts-ttf/ttf/${file}.ttf`), path.join(folder, `${file}.ttf`));
		}
		const unfinished = `${configuration}.${process.pid}`;
		fs.writeFileSync(unfinished, configurationOf(folder));
		fs.renameSync(unfinished, configuration);
	}
	return { FONTCONFIG_FILE: configuration };
}

const configurationOf = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
	<dir>${folder}</dir>
	<cachedir>${folder}-cache</cachedir>
	<alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
	<match target="pattern"><edit name="family" mode="append_last"><string>DejaVu Sans</string></edit></match>
</fontconfig>
`;
