import { spawn } from 'node:child_process';
import os from 'node:os';
import { CodeFailure } from './codeFailure.ts';

/** Milliseconds a call may take, bytes of memory it may use, and bytes it may put out. */
const limits = { timeoutMs: 10_000, memoryBytes: 512 * 1024 * 1024, outputBytes: 4 * 1024 * 1024 };

/**
 * Runs inside of Python. The result goes out on a descriptor of its own, so that `print` in the program does no harm; the address space and
 * the processor time are limited where the system can.
 */
const wrapper = `
import json, os, sys
job = json.loads(sys.stdin.buffer.read())
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (job["memory"], job["memory"]))
    resource.setrlimit(resource.RLIMIT_CPU, (job["seconds"], job["seconds"]))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
except Exception:
    pass
try:
    scope = {"__name__": "main"}
    exec(compile(job["code"], "main.py", "exec"), scope)
    reply = {"result": scope["main"](**job["inputs"])}
    text = json.dumps(reply, ensure_ascii=True, allow_nan=False)
except BaseException as error:
    text = json.dumps({"error": type(error).__name__ + ": " + str(error)})
with os.fdopen(3, "w") as out:
    out.write(text)
`;

/**
 * Calls `main(**inputs)` of a Python program in a process of its own: isolated mode, none of our environment but the search path, a folder that is not ours.
 * That is no sandbox: whoever switches Python on trusts the agents' code.
 * @throws {CodeFailure} with the program's error, or the limit it ran into
 */
export function runPython(python: string, code: string, inputs: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown> {
	return new Promise((resolve, reject) => {
		const child = spawn(python, ['-I', '-c', wrapper], {
			cwd: os.tmpdir(),
			env: { PATH: process.env['PATH'], ...(process.platform === 'win32' && { SYSTEMROOT: process.env['SYSTEMROOT'] }) },
			stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
			windowsHide: true,
			signal,
			killSignal: 'SIGKILL',
		});
		const output: Buffer[] = [];
		let size = 0;
		let errors = '';
		let fault: string | undefined;
		const end = (why: string) => {
			fault ??= why;
			child.kill('SIGKILL');
		};
		const timer = setTimeout(
			() => end(`The code did not end within ${limits.timeoutMs / 1000} seconds, the most it may take`),
			limits.timeoutMs,
		);
		child.stdio[3]?.on('data', (chunk: Buffer) => {
			size += chunk.length;
			if (size > limits.outputBytes) {
				end(`The code gives more than ${limits.outputBytes / 1024 / 1024} MB, the most it may give`);
			} else {
				output.push(chunk);
			}
		});
		child.stderr?.on('data', (chunk: Buffer) => {
			errors = (errors + chunk.toString()).slice(-2000);
		});
		child.on('error', error => {
			clearTimeout(timer);
			reject(signal.aborted ? signal.reason : new CodeFailure(`Python cannot be started (${python}): ${error.message}`, { cause: error }));
		});
		child.on('close', () => {
			clearTimeout(timer);
			if (signal.aborted) {
				reject(signal.reason);
				return;
			}
			try {
				resolve(resultIn(Buffer.concat(output).toString(), fault, errors));
			} catch (error) {
				reject(error);
			}
		});
		// a program that ends early does not read its input
		child.stdin?.on('error', () => {});
		child.stdin?.end(JSON.stringify({ code, inputs, memory: limits.memoryBytes, seconds: Math.ceil(limits.timeoutMs / 1000) + 1 }));
	});
}

function resultIn(output: string, fault: string | undefined, errors: string): unknown {
	if (fault) {
		throw new CodeFailure(fault);
	}
	if (output === '') {
		throw new CodeFailure(`Python ended without a result${errors ? `: ${errors.trim().split('\n').at(-1)}` : ''}`);
	}
	const reply = JSON.parse(output) as { result?: unknown; error?: string };
	if (reply.error !== undefined) {
		throw new CodeFailure(reply.error);
	}
	return reply.result;
}
