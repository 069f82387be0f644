import { statSync } from 'node:fs';
import path from 'node:path';
import { contest } from '../harness/contest.ts';
import { runNode } from '../harness/processes.ts';
import type { Measure } from '../harness/table.ts';
import { chunkFile } from './subjects.ts';

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

/**
 * Loading the client in a fresh process that has Node's own modules, as an extension host has. The floor is to compile the same bytes as one script,
 * without anything of it being run.
 */
export const loading: Measure = {
	name: 'load',
	measure: 'loading the client chunk over compiling the same bytes as one script; and how large it is',
	unit: '×',
	costUnit: 'ms',
	limits: { 'over compiling': { most: 1.3 }, size: { most: 350, unit: 'KB' } },
	run(inRounds) {
		const kilobytes = [chunkFile, ...laterFiles].reduce((bytes, file) => bytes + statSync(file).size, 0) / 1024;
		return inRounds({ warmUp: 1, rounds: 11 }, async () => {
			const costs = await contest({
				chunk: () => timed(load),
				compiling: () => timed(compile),
				'what its first request loads': () => timed(loadLater),
			});
			return { values: { 'over compiling': costs.chunk / costs.compiling, size: kilobytes }, costs };
		});
	},
};

const load = `require(${JSON.stringify(chunkFile)})`;
const compile = `new (require('node:vm').Script)('(function (exports, require, module, __filename, __dirname) { ' + text + '})')`;
const loadLater = `${JSON.stringify(laterFiles)}.map(file => require(file))`;

/** Milliseconds of a step in a process of its own; waiting for a processor that others use is not loading. */
async function timed(step: string): Promise<number> {
	const { wall, processor } = await runNode<{ wall: number; processor: number }>([
		'--input-type=commonjs',
		'-e',
		`for (const name of ${JSON.stringify(warmModules)}) require('node:' + name);
		const text = require('node:fs').readFileSync(${JSON.stringify(chunkFile)}, 'utf8');
		const started = performance.now(), before = process.cpuUsage();
		${step};
		const { user, system } = process.cpuUsage(before);
		console.log(JSON.stringify({ wall: performance.now() - started, processor: (user + system) / 1000 }));`,
	]);
	return Math.min(wall, processor);
}
