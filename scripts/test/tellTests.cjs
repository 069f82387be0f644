/** Shorter tests are not told. Milliseconds. */
const least = 500;
/** Longer errors are cut: all of it stands in the suite's own report. Characters. */
const longest = 2000;

/**
 * Prints lines at the end of a run for told.ts to read: `slow MILLISECONDS TITLE` for each longer test, and `failed JSON` and `second try JSON` with
 * `title` and `error`, that of the first try, for each that failed and for each that passed only then.
 */
module.exports.tellTests = (runner, print = console.log) => {
	const lines = [];
	const firstErrors = new Map();
	const tell = (word, test, error) => {
		const title = test.fullTitle();
		lines.push(`${word} ${JSON.stringify({ title, error: firstErrors.get(title) ?? textOf(error) })}`);
	};
	runner.on('retry', (test, error) => {
		if (!firstErrors.has(test.fullTitle())) {
			firstErrors.set(test.fullTitle(), textOf(error));
		}
	});
	// a hook fails too, and is no test
	runner.on('fail', (test, error) => tell('failed', test, error));
	runner.on('test end', test => {
		if ((test.duration ?? 0) >= least) {
			lines.push(`slow ${test.duration} ${test.fullTitle()}`);
		}
		if (test.state === 'passed' && firstErrors.has(test.fullTitle())) {
			tell('second try', test);
		}
	});
	runner.once('end', () => {
		for (const line of lines) {
			print(line);
		}
	});
};

function textOf(error) {
	return String(error?.stack ?? error).slice(0, longest);
}
