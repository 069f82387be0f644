import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** The `dist/cli.js` that `npm run build` creates. */
export const cliProgram = path.resolve(import.meta.dirname, '../../dist/cli.js');

/** Exit code and complete output of the command line. */
export interface CliEnd {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

/** The real command line, running as a separate process. */
export interface CliProcess {
	readonly child: ChildProcess;
	readonly ended: Promise<CliEnd>;
	/** Resolves once the output on either stream matches. Rejects if the process exits first. */
	waitForOutput(pattern: RegExp): Promise<void>;
}

export interface CliStart {
	readonly cwd?: string;
	/** Replaces this process's environment. */
	readonly env?: NodeJS.ProcessEnv;
	/** Replaces `dist/cli.js`. */
	readonly program?: string;
}

const running = new Set<ChildProcess>();

export function startCli(args: readonly string[], { cwd, env, program = cliProgram }: CliStart = {}): CliProcess {
	const child = spawn(process.execPath, [program, ...args], {
		stdio: ['ignore', 'pipe', 'pipe'],
		...(cwd !== undefined && { cwd }),
		env: env ?? { ...process.env, GITHUB_STEP_SUMMARY: '' },
	});
	running.add(child);
	let [stdout, stderr] = ['', ''];
	const waiting = new Set<() => void>();
	const notifyWaiters = () => {
		for (const each of waiting) {
			each();
		}
	};
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		stdout += text;
		notifyWaiters();
	});
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		stderr += text;
		notifyWaiters();
	});
	let isOver = false;
	const ended = once(child, 'close').then(([code]) => {
		isOver = true;
		running.delete(child);
		notifyWaiters();
		return { code: code as number | null, stdout, stderr };
	});
	return {
		child,
		ended,
		async waitForOutput(pattern) {
			while (!pattern.test(stdout) && !pattern.test(stderr)) {
				if (isOver) {
					throw new Error(`It ended without saying ${pattern}:\n${stdout}\n${stderr}`);
				}
				await new Promise<void>(resolve => {
					const checkOutput = () => {
						waiting.delete(checkOutput);
						resolve();
					};
					waiting.add(checkOutput);
				});
			}
		},
	};
}

/** Runs the command line until it exits. */
export function runCli(args: readonly string[], start?: CliStart): Promise<CliEnd> {
	return startCli(args, start).ended;
}

/** Kills the processes that are still running. */
export async function killRunningClis(): Promise<void> {
	await Promise.all(
		[...running].map(async child => {
			const exited = once(child, 'close');
			child.kill('SIGKILL');
			await exited;
		}),
	);
}
