/** A test that failed, at least once. */
export interface ToldFailure {
	title: string;
	/** What was thrown, with its stack; of several tries the first. */
	error: string;
}

/** What a suite's tests told of themselves beside passing and failing (tellTests.cjs). */
export interface Told {
	/** Tests that took long, with their milliseconds. */
	slow: { ms: number; title: string }[];
	/** Tests that passed only at their second try. */
	secondTries: ToldFailure[];
	/** Tests and hooks that failed. */
	failures: ToldFailure[];
	/** The output without those lines. */
	rest: string;
}

/** Takes apart what a suite wrote. */
export function toldIn(output: string): Told {
	const slow = [...output.matchAll(/^slow (\d+) (.+)$/gm)].map(match => ({ ms: Number(match[1]), title: match[2]! }));
	const failures = (word: string): ToldFailure[] =>
		[...output.matchAll(new RegExp(`^${word} (\\{.+\\})$`, 'gm'))].map(match => JSON.parse(match[1]!) as ToldFailure);
	return {
		slow,
		secondTries: failures('second try'),
		failures: failures('failed'),
		rest: output.replaceAll(/^(slow \d+ .+|(second try|failed) \{.+\})\n?/gm, ''),
	};
}
