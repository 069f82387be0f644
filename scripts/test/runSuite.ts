import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { root } from '../lib/paths.ts';
import { type Count, countTests } from './count.ts';
import type { Suite } from './suites.ts';

export interface SuiteResult extends Count {
	name: string;
	/** Complete output of its commands, in order. */
	output: string;
	seconds: number;
}

/** Where the commands of a suite run: a checkout, and the milliseconds after which a command is stopped because it hangs. */
interface Place {
	readonly folder: string;
	readonly limit: number;
}

/** Milliseconds after which a process that doesn't stop is killed. */
const patience = 10_000;

/** Runs a suite's commands until one fails. Never rejects: a command that can't be started counts as failed. */
export async function runSuite(suite: Suite, place: Place = { folder: root, limit: 1_800_000 }): Promise<SuiteResult> {
	const started = performance.now();
	let output = '';
	let ok = true;
	for (const command of suite.commands) {
		ok = await runCommand(command, place, text => {
			output += text;
		});
		if (!ok) {
			break;
		}
	}
	const seconds = (performance.now() - started) / 1000;
	return { name: suite.name, output, seconds, ...countResults(suite, output, ok) };
}

function countResults(suite: Suite, output: string, ok: boolean): Count {
	switch (suite.counts) {
		case 'tests':
			return countTests(output, ok);
		case 'whole':
			return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
		case 'failure':
			return { passed: 0, failed: ok ? 0 : 1 };
	}
}

/** @returns true if the command exited with 0 */
async function runCommand(
	[program, ...args]: readonly string[],
	{ folder, limit }: Place,
	write: (text: string) => void,
): Promise<boolean> {
	const child = spawn(program!, args, {
		cwd: folder,
		env: createEnvironment(folder),
		stdio: ['ignore', 'pipe', 'pipe'],
		shell: process.platform === 'win32',
		// a separate group, so that its child processes can be stopped with it
		detached: process.platform !== 'win32',
	});
	let killing: NodeJS.Timeout | undefined;
	const timer = setTimeout(() => {
		write(`\nended after ${limit / 1000} s: ${program} ${args.join(' ')}\n`);
		signalCommand(child, 'SIGTERM');
		killing = setTimeout(() => signalCommand(child, 'SIGKILL'), patience);
	}, limit);
	const killCommandOnExit = (): void => signalCommand(child, 'SIGTERM');
	process.once('exit', killCommandOnExit);
	// a leftover editor or gateway keeps the pipes open and uses the machine while other suites run
	child.once('exit', () => signalCommand(child, 'SIGKILL'));
	child.stdout.setEncoding('utf8').on('data', write);
	child.stderr.setEncoding('utf8').on('data', write);
	try {
		const [code] = (await once(child, 'close')) as [number | null];
		return code === 0;
	} catch (error) {
		write(`${program} could not be started: ${error instanceof Error ? error.message : String(error)}\n`);
		return false;
	} finally {
		clearTimeout(timer);
		clearTimeout(killing);
		process.off('exit', killCommandOnExit);
	}
}

/** Stops a command and its child processes, on systems with process groups. */
function signalCommand(child: ChildProcess, signal: NodeJS.Signals): void {
	if (process.platform === 'win32' || child.pid === undefined) {
		child.kill(signal);
		return;
	}
	try {
		process.kill(-child.pid, signal);
	} catch {
		// all processes have already exited
	}
}

/**
 * Puts the programs of this checkout first and makes their output plain text. Hundreds of Node processes load the same modules, so they
 * share compiled code; the compiler and the bundler, which are in Go, use more memory and a third less time.
 */
function createEnvironment(folder: string): NodeJS.ProcessEnv {
	const { FORCE_COLOR: _, ...inherited } = process.env;
	return {
		NODE_COMPILE_CACHE: path.join(folder, '.vscode-test/compileCache'),
		GOGC: '400',
		...inherited,
		NO_COLOR: '1',
		PATH: [path.join(folder, 'node_modules/.bin'), inherited['PATH']].join(path.delimiter),
	};
}
