// Mocha's report, plus tests that were slow or needed a retry: a test that passes only on retry is still a defect.
const { reporters } = require('mocha');
const { printTestReport } = require('./printTestReport.cjs');

module.exports = class extends reporters.Spec {
	constructor(runner, options) {
		super(runner, options);
		runner.on('retry', (test, error) => {
			console.log(`      tried again: ${test.title}\n        ${String(error?.stack ?? error).replaceAll('\n', '\n        ')}`);
		});
		printTestReport(runner);
	}
};
