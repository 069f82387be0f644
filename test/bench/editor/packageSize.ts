import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.ts';
import type { Measure } from '../harness/table.ts';

/** Measures the size of the package that `npm run package` creates. */
export const packageSize: Measure = {
	name: 'package-size',
	measure: 'package',
	unit: 'MB',
	limits: { size: { most: 4 } },
	run: inRounds =>
		inRounds({ warmUp: 0, rounds: 1 }, async () => {
			execFileSync('npm', ['run', '--silent', 'package'], {
				cwd: root,
				stdio: ['ignore', 'ignore', 'inherit'],
				shell: process.platform === 'win32',
			});
			return { values: { size: fs.statSync(path.join(root, 'dist/agent-workbench.vsix')).size / 1048576 } };
		}),
};
