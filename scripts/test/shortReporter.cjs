// Short report for a thousand quick tests: the number that passed, each failure, and slow tests.
const { reporters } = require('mocha');
const { printTestReport } = require('./printTestReport.cjs');

module.exports = class extends reporters.Base {
	constructor(runner, options) {
		super(runner, options);
		runner.once('end', () => this.epilogue());
		printTestReport(runner);
	}
};
