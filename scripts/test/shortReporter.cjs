// For a thousand quick tests: the number that passed, each that failed, and what was slow.
const { reporters } = require('mocha');
const { tellTests } = require('./tellTests.cjs');

module.exports = class extends reporters.Base {
	constructor(runner, options) {
		super(runner, options);
		runner.once('end', () => this.epilogue());
		tellTests(runner);
	}
};
