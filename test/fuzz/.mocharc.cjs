const { fuzzRuns } = require('./fuzzRuns.ts');

// two minutes per 200 examples: no test needs that long
module.exports = { spec: ['test/fuzz/**/*.test.ts'], timeout: 120_000 * Math.max(1, fuzzRuns / 200) };
