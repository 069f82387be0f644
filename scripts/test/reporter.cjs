// Mocha's own report, and what was slow or needed a second try: a test that passes at its second try is a fault all the same.
const { reporters } = require('mocha');
const { tellTests } = require('./tellTests.cjs');

module.exports = class extends reporters.Spec {
	constructor(runner, options) {
		super(runner, options);
		runner.on('retry', (test, error) => {
			console.log(`      tried again: ${test.title}\n        ${String(error?.stack ?? error).replaceAll('\n', '\n        ')}`);
		});
		tellTests(runner);
	}
};
