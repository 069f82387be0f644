/** A test that failed at least once. */
export interface ReportedFailure {
	title: string;
	/** The error with its stack, from the first try. */
	error: string;
	/** True if the inputs of its file are random. The error of a property has the seed and the counterexample. */
	random?: boolean;
}

/** Details about a suite's tests beyond the numbers of passed and failed ones (printTestReport.cjs). */
export interface TestReport {
	/** Slow tests with their milliseconds. */
	slow: { ms: number; title: string }[];
	/** Tests that passed only on retry. */
	secondTries: ReportedFailure[];
	/** Tests and hooks that failed. */
	failures: ReportedFailure[];
	/** The output without the lines that contain these details. */
	rest: string;
}

/** Parses the output of a suite. */
export function parseTestReport(output: string): TestReport {
	const slow = [...output.matchAll(/^slow (\d+) (.+)$/gm)].map(match => ({ ms: Number(match[1]), title: match[2]! }));
	const parseFailures = (word: string): ReportedFailure[] =>
		[...output.matchAll(new RegExp(`^${word} (\\{.+\\})$`, 'gm'))].map(match => JSON.parse(match[1]!) as ReportedFailure);
	return {
		slow,
		secondTries: parseFailures('second try'),
		failures: parseFailures('failed'),
		rest: output.replaceAll(/^(slow \d+ .+|(second try|failed) \{.+\})\n?/gm, ''),
	};
}
