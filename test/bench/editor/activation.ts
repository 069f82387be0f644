import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.ts';
import type { Measure } from '../harness/table.ts';
import { measureInWindow } from './inWindow.ts';

/**
 * Measures how much the extension host loads and how long it takes to activate the extension, in new windows of a real VS Code, with VS
 * Code's own performance marks. The floor is an extension with an empty `activate` in the same window, activated just before and after.
 */
export const activation: Measure = {
	name: 'activation',
	measure: 'code loaded at activation; load and activate over an empty extension in the same window',
	unit: '×',
	costUnit: 'ms',
	limits: { size: { most: 60, unit: 'KB' }, 'empty extension': { most: 15 } },
	run(inRounds) {
		const size = fs.statSync(path.join(root, 'dist/extension.cjs')).size / 1024;
		return inRounds({ warmUp: 0, rounds: 5 }, async () => {
			const { ownMs, emptyMs } = await measureInWindow('activation');
			return { values: { size, 'empty extension': ownMs / emptyMs }, costs: { extension: ownMs, 'empty extension': emptyMs } };
		});
	},
};
