// Mocha's own report, and a line for each try that failed and is made again: a test that passes at its second try is a fault all the same.
const { reporters } = require('mocha');

module.exports = class extends reporters.Spec {
	constructor(runner, options) {
		super(runner, options);
		runner.on('retry', (test, error) => {
			console.log(`      tried again: ${test.title}\n        ${String(error?.stack ?? error).replaceAll('\n', '\n        ')}`);
		});
	}
};
