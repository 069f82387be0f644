import type { CaseResult, CheckResult, SuiteSummary } from '#suites/results/caseResult.ts';
import type { Suite } from '#suites/suite.ts';

/** A position in the suite that {@link createSuiteNamed} creates. */
export const place = { file: `${process.cwd()}/suites/s.suite.json`, offset: 0, length: 1, line: 7, column: 3 };

/** Returns a suite without cases. */
export function createSuiteNamed(name: string): Suite {
	return {
		file: place.file,
		name,
		root: process.cwd(),
		fingerprint: 'f',
		target: undefined,
		user: undefined,
		cases: [],
		dataset: undefined,
		cache: false,
		repeat: 1,
		passRate: 1,
		concurrency: 1,
	};
}

/** Returns a failed check. */
export function createFailedCheck(more: Partial<CheckResult> = {}): CheckResult {
	return {
		kind: 'equals',
		name: 'output a equals',
		named: true,
		passed: false,
		score: 0,
		weight: 1,
		message: 'it is "b"',
		expected: 'a',
		actual: 'b',
		place,
		...more,
	};
}

/** Returns the result of a passed case with the fields in `more` changed. */
export function createResult(more: Partial<CaseResult> = {}): CaseResult {
	return {
		ordinal: 0,
		name: 'a case',
		place,
		outcome: 'passed',
		score: 1,
		inputs: {},
		outputs: {},
		checks: [],
		startedAt: 0,
		seconds: 0.25,
		...more,
	};
}

/** Returns the totals of a batch. */
export function createSummary(more: Partial<SuiteSummary> = {}): SuiteSummary {
	return { cases: 1, passed: 1, failed: 0, notRun: 0, faults: 0, takenUp: 0, seconds: 1.5, tokens: 10, judgeTokens: 0, cost: 0, ...more };
}

/** Strings that are hard to quote in at least one report format, by their kind. */
export const hostileTexts: Readonly<Record<string, string>> = {
	'control characters': `a\u0000b\u0008c\u000bd\u001be\u007ff\u009fg`,
	'the end of CDATA': ']]>x<![CDATA[',
	markup: `<failure message="x">&amp;&#0;</failure></testcase></testsuites>`,
	quotes: `"'\`$(id)`,
	'line breaks': 'a\r\nb\rc\nd\u2028e\u2029f\tg',
	emoji: '👩‍👩‍👧 𝒳 é',
	'a lone surrogate': 'a\ud83db\udc69',
	noncharacters: '\ufffe\uffff',
	commands: '\n::error file=x::boo\n##[add-path]/tmp',
	'bidirectional controls': '\u202egnp.exe\u2066',
	markdown: '| a | [x](http://h) ![y](z) `c` **b** <script>alert(1)</script> @team #1',
	'an empty string': '',
	'100,000 characters': 'x'.repeat(100_000),
};
