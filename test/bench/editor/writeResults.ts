import fs from 'node:fs';
import type { CaseResult } from '../../../src/suites/results/caseResult.ts';

/** Results that are written at a time. */
const atOnce = 1000;

/** Writes the result file of a suite with so many cases; a seventh of them failed, in five ways. The last of them comes first by its name. */
export function writeResults(file: string, suite: string, count: number): void {
	const head = { version: 1, suite, fingerprint: 'none', connection: 'Built-in gateway', startedAt: Date.UTC(2030, 0, 1) };
	fs.writeFileSync(file, `${JSON.stringify({ head })}\n`);
	for (let from = 0; from < count; from += atOnce) {
		const some = Array.from({ length: Math.min(atOnce, count - from) }, (_, at) => resultOf(suite, from + at, count));
		fs.appendFileSync(file, some.map(result => `${JSON.stringify({ result })}\n`).join(''));
	}
}

function resultOf(suite: string, ordinal: number, count: number): CaseResult {
	const place = { file: suite, offset: 0, length: 1, line: 1, column: 1 };
	const passed = ordinal % 7 !== 0;
	return {
		ordinal,
		name: ordinal === count - 1 ? 'a: the last by its name' : `row ${(ordinal * 7919) % count}`,
		row: ordinal + 1,
		place,
		outcome: passed ? 'passed' : 'failed',
		score: passed ? 1 : 0,
		run: { id: `run-${ordinal}`, status: 'succeeded', seconds: (ordinal * 31) % 97, tokens: ordinal % 1000, steps: 3 },
		inputs: { text: `The customer says that the lock does not open any more, for the ${ordinal}th time.` },
		outputs: { queue: 'support', reply: 'We are sorry to hear that. '.repeat(8) },
		checks: [
			{ kind: 'equals', name: `queue equals "${ordinal % 5}"`, passed, score: passed ? 1 : 0, weight: 1, message: 'was "support"', place },
		],
		startedAt: 0,
		seconds: 1,
	};
}
