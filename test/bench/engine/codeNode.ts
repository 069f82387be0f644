import variant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';
import { CodeRunner } from '../../../src/engine/code/codeRunner.ts';
import { measureWallMs, sampleMedians } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';

const source = 'function main({ words }) { return { count: words.length, longest: [...words].sort((a, b) => b.length - a.length)[0] }; }';
const inputs = { words: 'the quick brown fox jumps over the lazy dog'.split(' ') };
/** Number of calls per round. The median counts. */
const calls = 200;
const signal = new AbortController().signal;

/**
 * Calls a small program, each time in a fresh context. The floor is a bare QuickJS runtime and context on this thread with the same code
 * and inputs.
 */
export const codeCall: Measure = {
	name: 'code',
	measure: 'JavaScript code node with a fresh context per call, over a bare QuickJS context that runs the same code, p50 warm',
	unit: '×',
	costUnit: 'ms',
	limits: { 'bare context': { most: 1.3 } },
	async run(inRounds) {
		const runner = new CodeRunner();
		const quickJs = await newQuickJSWASMModuleFromVariant(variant);
		const program = `${source}; JSON.stringify(main(${JSON.stringify(inputs)}))`;
		const contenders = {
			node: () => measureWallMs(() => runner.run(source, inputs, signal)),
			bare: () => measureWallMs(async () => void quickJs.evalCode(program)),
		};
		const series = await inRounds({ warmUp: 1, rounds: 9 }, async () => {
			const costs = await sampleMedians(contenders, calls);
			return { values: { 'bare context': costs.node / costs.bare }, costs };
		});
		await runner.close();
		return series;
	},
};
