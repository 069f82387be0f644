const fs = require('node:fs');

/** Minimum milliseconds of a test to report as slow. */
const least = 500;
/** Maximum characters of an error; the suite's report has the complete text. */
const longest = 2000;

/**
 * Prints lines at the end of a run for testReport.ts to parse: `slow MILLISECONDS TITLE` for each slow test, `failed JSON` for each failed
 * test, and `second try JSON` for each test that passed on retry. The JSON has `title` and `error`, from the first try, and `random` if the
 * test is in a file with properties: also its time can run out for some inputs only.
 */
module.exports.printTestReport = (runner, print = console.log) => {
	const lines = [];
	const firstErrors = new Map();
	const addFailure = (word, test, error) => {
		const title = test.fullTitle();
		const random = hasRandomInputs(test.file) || undefined;
		lines.push(`${word} ${JSON.stringify({ title, error: firstErrors.get(title) ?? formatError(error), random })}`);
	};
	runner.on('retry', (test, error) => {
		if (!firstErrors.has(test.fullTitle())) {
			firstErrors.set(test.fullTitle(), formatError(error));
		}
	});
	// hooks can fail too, but aren't tests
	runner.on('fail', (test, error) => addFailure('failed', test, error));
	runner.on('test end', test => {
		if ((test.duration ?? 0) >= least) {
			lines.push(`slow ${test.duration} ${test.fullTitle()}`);
		}
		if (test.state === 'passed' && firstErrors.has(test.fullTitle())) {
			addFailure('second try', test);
		}
	});
	runner.once('end', () => {
		for (const line of lines) {
			print(line);
		}
	});
};

function hasRandomInputs(file) {
	return file !== undefined && fs.readFileSync(file, 'utf8').includes("from 'fast-check'");
}

function formatError(error) {
	return String(error?.stack ?? error).slice(0, longest);
}
