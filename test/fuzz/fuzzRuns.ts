/** Number of examples per property: few in `npm test`, or the value of `FUZZ_RUNS`. */
export const fuzzRuns = Number(process.env['FUZZ_RUNS'] ?? 200);
