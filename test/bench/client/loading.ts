import { statSync } from 'node:fs';
import path from 'node:path';
import { runContest } from '../harness/contest.ts';
import { runNode } from '../harness/processes.ts';
import type { Measure } from '../harness/table.ts';
import { chunkFile } from './subjects.ts';

/** Files that the first request loads: the limits, and the parser of responses. */
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
 * Loads the client in a fresh process that has already loaded Node's modules, like an extension host. The floor is compiling the same bytes,
 * of the chunk and of the files that it requires, as one script without running it.
 */
export const loading: Measure = {
	name: 'load',
	measure: 'loading the client chunk over compiling the same bytes as one script; size of the chunk',
	unit: '×',
	costUnit: 'ms',
	limits: { 'over compiling': { most: 1.5 }, size: { most: 350, unit: 'KB' } },
	async run(inRounds) {
		const files = await runNode<string[]>([
			...['--input-type=commonjs', '-e', `${load}; console.log(JSON.stringify(Object.keys(require.cache)))`],
		]);
		const kilobytes = [...new Set([...files, ...laterFiles])].reduce((bytes, file) => bytes + statSync(file).size, 0) / 1024;
		return inRounds({ warmUp: 1, rounds: 11 }, async () => {
			const costs = await runContest({
				chunk: () => measureLoadStep(files, load),
				compiling: () => measureLoadStep(files, compile),
				'chunks of the first request': () => measureLoadStep(files, loadLater),
			});
			return { values: { 'over compiling': costs.chunk / costs.compiling, size: kilobytes }, costs };
		});
	},
};

const load = `require(${JSON.stringify(chunkFile)})`;
const compile = `new (require('node:vm').Script)('(function (exports, require, module, __filename, __dirname) { ' + text + '})')`;
const loadLater = `${JSON.stringify(laterFiles)}.map(file => require(file))`;

/** Returns the milliseconds of a step in a separate process, without waiting for a busy processor. */
async function measureLoadStep(files: readonly string[], step: string): Promise<number> {
	const { wall, processor } = await runNode<{ wall: number; processor: number }>([
		'--input-type=commonjs',
		'-e',
		`for (const name of ${JSON.stringify(warmModules)}) require('node:' + name);
		const text = ${JSON.stringify(files)}.map(file => require('node:fs').readFileSync(file, 'utf8')).join('\\n');
		const started = performance.now(), before = process.cpuUsage();
		${step};
		const { user, system } = process.cpuUsage(before);
		console.log(JSON.stringify({ wall: performance.now() - started, processor: (user + system) / 1000 }));`,
	]);
	return Math.min(wall, processor);
}
