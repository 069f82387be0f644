// Packages the extension. The editor shows the README without other files, so its links and images point to the repository.
import fs from 'node:fs';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { packageFile, root } from './lib/paths.ts';

const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { repository: { url: string } };
const repository = manifest.repository.url.replace(/\.git$/, '');

await createVSIX({
	cwd: root,
	packagePath: packageFile,
	dependencies: false,
	baseContentUrl: `${repository}/blob/HEAD`,
	baseImagesUrl: `${repository}/raw/HEAD`,
});
