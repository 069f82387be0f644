import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.ts';
import { median } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { measureInWindow } from './inWindow.ts';

const windows = 5;

/** What the extension host reads and runs to activate the extension. */
export const activationSize: Measure = {
	name: 'activation-size',
	measure: 'code loaded at activation, minified, at most',
	unit: 'KB',
	limit: 60,
	async run() {
		const value = fs.statSync(path.join(root, 'dist/extension.cjs')).size / 1024;
		return { value, ok: value <= 60 };
	},
};

/** In new windows of a real VS Code, by the marks that it sets itself. */
export const activationTime: Measure = {
	name: 'activation-time',
	measure: 'load + activate, median of new windows, at most',
	unit: 'ms',
	limit: 15,
	async run() {
		const times: number[] = [];
		for (let window = 0; window < windows; window++) {
			times.push((await measureInWindow('activation')).activationMs);
		}
		const value = median(times);
		return { value, ok: value <= 15, notes: [`windows: ${times.map(time => time.toFixed(1)).join(', ')} ms`] };
	},
};
