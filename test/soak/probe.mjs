// Loaded into the gateway and into VS Code's server by the soak (`node --import`): the gateway and the extension host each write their memory after a
// collection, and what they keep open, every few seconds.
import fs from 'node:fs';
import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const file = process.env.SOAK_FIGURES;
const role = process.argv.includes('--type=extensionHost')
	? 'extension host'
	: path.basename(process.argv[1] ?? '').startsWith('gateway')
		? 'gateway'
		: undefined;
if (isMainThread && file && role) {
	// VS Code leaves this out of the extension host's environment, and the gateway that it starts takes its own from there
	process.env.NODE_OPTIONS = `--import ${import.meta.url}`;
	v8.setFlagsFromString('--expose-gc');
	const collect = vm.runInNewContext('gc');
	setInterval(() => {
		collect();
		const { rss, heapUsed, external } = process.memoryUsage();
		const handles = process.getActiveResourcesInfo().length;
		fs.appendFileSync(file, `${JSON.stringify({ role, time: Date.now(), rss, heap: heapUsed + external, handles })}\n`);
	}, 5_000).unref();
}
