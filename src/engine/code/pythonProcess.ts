import { type ChildProcess, spawn } from 'node:child_process';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { getGroupOptions, killProcessGroup } from '#base/processGroup.ts';
import { CodeFailure } from '#base/sandbox/codeFailure.ts';
import { formatTimeout } from '#base/sandbox/codeJob.ts';

/** Milliseconds that a process has to end its children, and that reading the rest of a pipe may take. */
const graceMs = 500;

export interface PythonLimits {
	/** Time limit of a call in milliseconds, counted from the start of its process. */
	readonly timeoutMs: number;
	/** Address space limit in bytes for each process of the call. */
	readonly memoryBytes: number;
	/** Limit in bytes for the output of the call. */
	readonly outputBytes: number;
}

/**
 * A process that runs one call, in its own process group and an empty working folder, with only the search path in its environment. Its
 * standard input stays open while the process is needed. Disposing kills the process with all its children and resolves when it has ended.
 */
export class PythonProcess implements AsyncDisposable {
	readonly #child: ChildProcess;
	readonly #platform: NodeJS.Platform;
	readonly #gone: Promise<void>;
	#startError: Error | undefined;
	#errors = '';

	constructor([file = '', ...args]: readonly string[], platform: NodeJS.Platform = process.platform) {
		this.#platform = platform;
		this.#child = spawn(file, args, {
			cwd: os.tmpdir(),
			// Python doesn't start on Windows without the system's folder
			env: { PATH: process.env['PATH'], ...(platform === 'win32' && { SYSTEMROOT: process.env['SYSTEMROOT'] }) },
			stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
			windowsHide: true,
			...getGroupOptions(platform),
		});
		const gone = Promise.withResolvers<void>();
		this.#gone = gone.promise;
		this.#child.once('exit', () => gone.resolve());
		this.#child.on('error', error => {
			this.#startError ??= error;
			if (this.#child.pid === undefined) {
				gone.resolve();
			}
		});
		// if the system is out of file descriptors, the process has no pipes
		this.#child.stdin?.on('error', () => {});
		this.#child.stderr?.on('data', (chunk: Buffer) => {
			this.#errors = (this.#errors + chunk.toString()).slice(-2000);
		});
	}

	/**
	 * Sends a job as one line of JSON and returns the response line. Rejects with the signal's reason.
	 * @throws {CodeFailure} if the process can't be started, exceeds a limit, or ends without writing a line
	 */
	async runJob(job: string, limits: PythonLimits, signal: AbortSignal): Promise<string> {
		const line = Promise.withResolvers<string>();
		const stop = () => line.reject(signal.reason);
		const late = setTimeout(() => line.reject(new CodeFailure(formatTimeout(limits))), limits.timeoutMs);
		signal.addEventListener('abort', stop, { once: true });
		this.#readOutput(limits, line);
		void this.#explainExit().then(failure => line.reject(failure));
		this.#child.stdin?.write(job);
		try {
			return await line.promise;
		} finally {
			clearTimeout(late);
			signal.removeEventListener('abort', stop);
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#child.stdin?.destroy();
		await Promise.race([this.#gone, delay(graceMs, undefined, { ref: false })]);
		killProcessGroup(this.#child, 'SIGKILL', this.#platform);
		await this.#gone;
		for (const pipe of this.#child.stdio ?? []) {
			pipe?.destroy();
		}
	}

	#readOutput({ outputBytes }: PythonLimits, line: PromiseWithResolvers<string>): void {
		const chunks: Buffer[] = [];
		let size = 0;
		this.#child.stdio?.[3]?.on('data', (chunk: Buffer) => {
			size += chunk.length;
			chunks.push(chunk);
			if (size > outputBytes) {
				chunks.length = 0;
				line.reject(new CodeFailure(`The output of the code is larger than ${outputBytes / 1024 / 1024} MB`));
			} else if (chunk.includes('\n')) {
				line.resolve(Buffer.concat(chunks).toString());
			}
		});
	}

	/**
	 * Resolves with the error of a process that has ended, after its output was read. Doesn't wait for the output if another process keeps
	 * the pipe open.
	 */
	async #explainExit(): Promise<CodeFailure> {
		await this.#gone;
		if (this.#startError) {
			return new CodeFailure(`Couldn't start Python (${this.#child.spawnfile}): ${this.#startError.message}`, {
				cause: this.#startError,
			});
		}
		const pipe = this.#child.stdio[3];
		if (pipe && !pipe.destroyed) {
			await Promise.race([new Promise<void>(resolve => pipe.once('close', resolve)), delay(graceMs, undefined, { ref: false })]);
		}
		const why = this.#errors.trim().split('\n').at(-1);
		return new CodeFailure(`Python exited without a result${why ? `: ${why}` : ''}`);
	}
}
