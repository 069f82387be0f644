// Prints mocha's report, then a table of the attacks that passed: the one in docs/internals/attacks.md.
const { reporters } = require('mocha');
const { printTestReport } = require('../../../scripts/test/printTestReport.cjs');

module.exports = class extends reporters.Spec {
	constructor(runner, options) {
		super(runner, options);
		printTestReport(runner);
		const rows = [];
		const add = holds => test => rows.push([test.parent.fullTitle(), test.title, holds(test)]);
		runner.on(
			'pass',
			add(test => `yes, ${((test.duration ?? 0) / 1000).toFixed(1)} s`),
		);
		runner.on(
			'fail',
			add(() => 'NO'),
		);
		runner.on(
			'pending',
			add(() => 'with --long'),
		);
		runner.once('end', () => {
			console.log('| attack | what must hold | holds |\n|---|---|---|');
			for (const row of rows) {
				console.log(`| ${row.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`);
			}
		});
	}
};
