// Loaded into the gateway and into VS Code's server by the soak (`node --import`): every few seconds the gateway and the extension host
// each write their memory after a garbage collection and their number of open handles.
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
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
	if (role === 'extension host') {
		loadIntoGateways();
	}
	v8.setFlagsFromString('--expose-gc');
	const collect = vm.runInNewContext('gc');
	setInterval(() => {
		collect();
		const { rss, heapUsed, external } = process.memoryUsage();
		const handles = process.getActiveResourcesInfo().length;
		fs.appendFileSync(file, `${JSON.stringify({ role, time: Date.now(), rss, heap: heapUsed + external, handles })}\n`);
	}, 5_000).unref();
}

/** Adds these variables to the environment of gateways, because the extension starts gateways without them. */
function loadIntoGateways() {
	const { spawn } = childProcess;
	childProcess.spawn = (program, args, options) => {
		const isGateway = program === process.execPath && args.some(arg => path.basename(arg).startsWith('gateway'));
		const added = { SOAK_FIGURES: file, NODE_OPTIONS: `--import ${import.meta.url}` };
		return spawn(program, args, isGateway ? { ...options, env: { ...options.env, ...added } } : options);
	};
	syncBuiltinESMExports();
}
