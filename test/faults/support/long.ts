/** Whether attacks run at their whole size: `npm run test:faults -- --long`. */
export const isLong = process.env['FAULTS_LONG'] === '1';

/** An attack that `npm test` has no time for: without `--long` it is listed and not run. */
export function itWhenLong(title: string, test: Mocha.AsyncFunc): void {
	if (isLong) {
		it(title, test).timeout(900_000);
	} else {
		it(title);
	}
}

/** A size for `npm test`, and the whole one for `--long`. */
export function sized(short: number, whole: number): number {
	return isLong ? whole : short;
}
