import { mkdirSync } from 'node:fs';
import nodeModule from 'node:module';
import { join } from 'node:path';
import { gatewayExit } from '#contract/localGateway.ts';
import { FolderInUseError } from './folderInUseError.ts';
import { Log } from './process/log.ts';
import { helpText, parseFlags, SettingError } from './setup/flags.ts';
import type { OpenFailure } from './store/folder/openFailure.ts';

/** Milliseconds after the start. By then the first requests have compiled the code that they need. */
const flushDelayMs = 30_000;

/** Entry point of the gateway process: `node gateway.js --help`. */
async function main(args: readonly string[]): Promise<void> {
	const flags = parseFlags(args);
	if (flags.help) {
		process.stdout.write(helpText);
		return;
	}
	// keep other accounts from reading the files that the store and the nodes of agents write
	process.umask(0o077);
	checkNodeVersion();
	makeFolder(flags.data);
	keepCompiledCode();
	// import this now, because its modules need the features that checkNodeVersion verifies
	const { Gateway } = await import('./gateway.ts');
	const gateway = await Gateway.start(flags, () => stopGateway('idle'));
	process.on('uncaughtException', error => {
		gateway.logCrash(error);
		process.exit(1);
	});
	for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
		process.on(signal, () => stopGateway(signal));
	}
	let ending = false;
	// this must come last: the parent process may stop us right after reading it, and the lock has to be released then
	process.stdout.write(gateway.readyLine);

	function stopGateway(reason: string): void {
		if (ending) {
			return;
		}
		ending = true;
		gateway.stop(reason).then(() => process.exit(0), exitWithError);
	}
}

function checkNodeVersion(): void {
	const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
	if (major < 22 || (major === 22 && minor < 19)) {
		throw new SettingError(`Node.js ${process.versions.node} is too old. Use 22.19 or newer.`);
	}
}

/**
 * Keeps compiled code next to the bundle, which saves a fifth of the start. That folder needs the same trust as the code itself, and goes
 * with it on an update. Without permission to write there, code is compiled at each start. Node writes the files when the process exits;
 * on Windows it is killed, so this also writes them once the start is over.
 */
function keepCompiledCode(): void {
	if (import.meta.url.endsWith('.ts')) {
		return;
	}
	nodeModule.enableCompileCache(join(import.meta.dirname, 'compiled'));
	setTimeout(() => nodeModule.flushCompileCache(), flushDelayMs).unref();
}

function makeFolder(folder: string): void {
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
	} catch (error) {
		throw new SettingError(
			`--data: Couldn't create the folder '${folder}' (${error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'}).`,
		);
	}
}

function exitWithError(error: unknown): void {
	if (error instanceof SettingError || error instanceof FolderInUseError) {
		process.stderr.write(`${error.message}\n`);
		process.exit(error instanceof SettingError ? gatewayExit.setting : gatewayExit.folderInUse);
	}
	if (error instanceof Error && error.name === 'OpenFailure') {
		reportOpenFailure(error as OpenFailure);
		process.exit(gatewayExit.storeNotOpened);
	}
	process.stderr.write(`The gateway failed: ${error instanceof Error ? error.stack : String(error)}\n`);
	process.exit(1);
}

/** Writes a log line for programs that can offer to set the store aside, followed by the message for people. */
function reportOpenFailure({ message, reason, file, canSetAside }: OpenFailure): void {
	if (/--log[ =]json\b/.test(process.argv.join(' '))) {
		const log = new Log('json', text => process.stderr.write(text));
		log.error(message, { reason, file, can_set_aside: canSetAside });
		log.flushLines();
	}
	process.stderr.write(`${message}\n`);
}

// Node 22 warns about experimental SQLite at every start, which users can't fix
process.removeAllListeners('warning');
process.on('warning', warning => {
	if (warning.name !== 'ExperimentalWarning') {
		process.stderr.write(`${warning.name}: ${warning.message}\n`);
	}
});
// the parent process that reads the output may exit before this one
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});
main(process.argv.slice(2)).catch(exitWithError);
