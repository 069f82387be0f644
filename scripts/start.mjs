// npm start: VS Code with the extension on the sample workspace, and a first run. Plain JavaScript, so that an old Node gets this sentence and not a
// syntax error.
if (Number.parseInt(process.versions.node, 10) < 24) {
	console.error(
		`npm start needs Node 24 or later, and this is ${process.version}: run "npm ci" (Linux, Windows), or install Node 24 (macOS)`,
	);
	process.exit(1);
}
const { start } = await import('./start/start.ts');
process.exitCode = await start();
