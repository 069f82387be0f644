// npm test: runs a part of every layer (--rest: the rest; --all: both; `npm test -- ui`: the suites whose names start with it), even after
// failures; ends with the line `N passed, N failed`. Plain JavaScript, so that an old Node prints this message instead of a syntax error.
if (Number.parseInt(process.versions.node, 10) < 24) {
	console.error(
		`The tests need Node 24 or later, and this is ${process.version}: run "npm ci" (Linux, Windows), or install Node 24 (macOS)`,
	);
	process.exit(1);
}
const { testAll } = await import('./test/testAll.ts');
process.exitCode = await testAll(process.argv.slice(2));
