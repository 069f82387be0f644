/** Examples that a property is tried with: few in `npm test`, as many as `FUZZ_RUNS` says in a search. */
export const fuzzRuns = Number(process.env['FUZZ_RUNS'] ?? 200);
