/** True if attacks run at full size: `npm run test:faults -- --long`. */
export const isLong = process.env['FAULTS_LONG'] === '1';

/** Defines an attack that `npm test` has no time for: without `--long` it is listed but not run. */
export function defineLongTest(title: string, test: Mocha.AsyncFunc): void {
	if (isLong) {
		it(title, test).timeout(900_000);
	} else {
		it(title);
	}
}

/** Chooses the size for `npm test`, or the full one for `--long`. */
export function chooseSize(short: number, whole: number): number {
	return isLong ? whole : short;
}
