import fc from 'fast-check';

const given = process.env['FUZZ_RUNS'];

/** Number of examples per property: few in `npm run test:rest`, or the value of `FUZZ_RUNS`. */
export const fuzzRuns = Number(given ?? 200);

// the same examples in every short run, so that a failure comes from the change that is tested; a longer search tries others each time
if (given === undefined) {
	fc.configureGlobal({ seed: 1 });
}
