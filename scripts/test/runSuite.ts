import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { root } from '../lib/paths.ts';
import { type Count, countTests } from './count.ts';
import type { Suite } from './suites.ts';

export interface SuiteResult extends Count {
	name: string;
	/** All that its commands wrote, in order. */
	output: string;
	seconds: number;
}

/** After this a command is ended: something in it waits for what never comes. */
const limit = 900_000;

/** Runs a suite's commands until one fails. Never rejects: what cannot be started has failed. */
export async function runSuite(suite: Suite): Promise<SuiteResult> {
	const started = performance.now();
	let output = '';
	let ok = true;
	for (const command of suite.commands) {
		ok = await run(command, text => {
			output += text;
		});
		if (!ok) {
			break;
		}
	}
	const seconds = (performance.now() - started) / 1000;
	return { name: suite.name, output, seconds, ...countOf(suite, output, ok) };
}

function countOf(suite: Suite, output: string, ok: boolean): Count {
	switch (suite.counts) {
		case 'tests':
			return countTests(output, ok);
		case 'whole':
			return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
		case 'failure':
			return { passed: 0, failed: ok ? 0 : 1 };
	}
}

/** @returns whether the command ended with 0 */
async function run([program, ...args]: readonly string[], write: (text: string) => void): Promise<boolean> {
	const child = spawn(program!, args, {
		cwd: root,
		env: environment(),
		stdio: ['ignore', 'pipe', 'pipe'],
		shell: process.platform === 'win32',
	});
	const timer = setTimeout(() => {
		write(`\nended after ${limit / 1000} s: ${program} ${args.join(' ')}\n`);
		child.kill();
	}, limit);
	const endWithUs = (): boolean => child.kill();
	process.once('exit', endWithUs);
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
		process.off('exit', endWithUs);
	}
}

/** The programs of this checkout come first, and their output is plain text. */
function environment(): NodeJS.ProcessEnv {
	const { FORCE_COLOR: _, ...inherited } = process.env;
	return { ...inherited, NO_COLOR: '1', PATH: [path.join(root, 'node_modules/.bin'), inherited['PATH']].join(path.delimiter) };
}
