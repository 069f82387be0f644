/** Minimum milliseconds of a test to report as slow. */
const least = 500;
/** Maximum characters of an error; the suite's report has the complete text. */
const longest = 2000;

/**
 * Prints lines at the end of a run for testReport.ts to parse: `slow MILLISECONDS TITLE` for each slow test, `failed JSON` for each failed
 * test, and `second try JSON` for each test that passed on retry. The JSON has `title` and `error`, from the first try.
 */
module.exports.printTestReport = (runner, print = console.log) => {
	const lines = [];
	const firstErrors = new Map();
	const addFailure = (word, test, error) => {
		const title = test.fullTitle();
		lines.push(`${word} ${JSON.stringify({ title, error: firstErrors.get(title) ?? formatError(error) })}`);
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

function formatError(error) {
	return String(error?.stack ?? error).slice(0, longest);
}
