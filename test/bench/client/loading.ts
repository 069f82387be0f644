import { statSync } from 'node:fs';
import path from 'node:path';
import { median } from '../harness/contest.ts';
import { runNode } from '../harness/processes.ts';
import type { Measure } from '../harness/table.ts';
import { chunkFile } from './subjects.ts';

const starts = 21;
/** What the first request loads: the limits, and the parser of answers. */
const laterFiles = ['clientLimits.cjs', 'httpParser.cjs'].map(file => path.join(path.dirname(chunkFile), file));
const warmModules = [
	'http',
	'https',
	'http2',
	'tls',
	'net',
	'stream',
	'util',
	'events',
	'crypto',
	'url',
	'querystring',
	'assert',
	'diagnostics_channel',
	'async_hooks',
	'buffer',
	'dns',
	'zlib',
];

/** Loading the client in a fresh process that has Node's own modules, as an extension host has. */
export const loading: Measure = {
	name: 'load',
	measure: 'loading the client chunk, median, at most; at most 500 KB with what its first request loads',
	unit: 'ms',
	limit: 12,
	async run() {
		const code = `for (const name of ${JSON.stringify(warmModules)}) require('node:' + name);
			const timed = step => {
				const wall = performance.now(), before = process.cpuUsage();
				step();
				const { user, system } = process.cpuUsage(before);
				return { wall: performance.now() - wall, processor: (user + system) / 1000 };
			};
			const chunk = timed(() => require(${JSON.stringify(chunkFile)}));
			const later = timed(() => ${JSON.stringify(laterFiles)}.map(file => require(file)));
			console.log(JSON.stringify({ chunk, later }));`;
		const runs: Record<'chunk' | 'later', { wall: number; processor: number }>[] = [];
		for (let i = 0; i < starts; i++) {
			runs.push(await runNode(['--input-type=commonjs', '-e', code]));
		}
		// waiting for a processor that others use is not loading
		const cost = (part: 'chunk' | 'later') => median(runs.map(run => Math.min(run[part].wall, run[part].processor)));
		const value = cost('chunk');
		const kilobytes = [chunkFile, ...laterFiles].reduce((bytes, file) => bytes + statSync(file).size, 0) / 1024;
		return {
			value,
			ok: value <= 12 && kilobytes <= 500,
			notes: [
				`${kilobytes.toFixed(0)} KB; fastest ${Math.min(...runs.map(run => run.chunk.wall)).toFixed(1)} ms; with the first request: ${cost('later').toFixed(1)} ms`,
			],
		};
	},
};
