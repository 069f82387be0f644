import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A process of ours, with the data that it printed in its first line. */
export interface Started<T> {
	readonly ready: T;
	readonly process: ChildProcess;
	stop(): Promise<void>;
}

/**
 * Starts Node on a file and waits for its first line of output, which must be JSON. Rejects if it exits first. Use `ignore` for `stderr` of
 * services that log each request there.
 */
export async function startNode<T>(
	args: readonly string[],
	{
		stderr = 'inherit',
		...options
	}: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string; readonly stderr?: 'inherit' | 'ignore' } = {},
): Promise<Started<T>> {
	const child = spawn(process.execPath, args, { ...options, stdio: ['pipe', 'pipe', stderr] });
	const exited = once(child, 'exit');
	const lines = createInterface({ input: child.stdout! });
	const first = await Promise.race([
		once(lines, 'line'),
		exited.then(([code]) => Promise.reject(new Error(`${args[0]} exited with ${code} before it was ready`))),
	]);
	return {
		ready: JSON.parse(first[0] as string),
		process: child,
		async stop() {
			lines.close();
			if (child.exitCode === null) {
				child.kill();
				await exited;
			}
		},
	};
}

/** Runs Node on a file to its end; returns the JSON in its last line. */
export async function runNode<T>(args: readonly string[], options: { readonly env?: NodeJS.ProcessEnv } = {}): Promise<T> {
	const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
	let output = '';
	child.stdout.setEncoding('utf8').on('data', text => {
		output += text;
	});
	const [code] = await once(child, 'close');
	if (code !== 0) {
		throw new Error(`${args[0]} exited with ${code}`);
	}
	return JSON.parse(output.trim().split('\n').at(-1)!);
}
