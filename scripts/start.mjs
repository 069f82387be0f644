// npm start: opens the sample workspace in VS Code with the extension and starts a first run. Plain JavaScript, so that an old Node prints
// this message instead of a syntax error.
if (Number.parseInt(process.versions.node, 10) < 24) {
	console.error(
		`npm start needs Node 24 or later, and this is ${process.version}: run "npm ci" (Linux, Windows), or install Node 24 (macOS)`,
	);
	process.exit(1);
}
const { startSamples } = await import('./start/start.ts');
process.exitCode = await startSamples();
