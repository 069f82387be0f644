import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { serializeInputs } from '#base/sandbox/codeData.ts';
import { CodeFailure } from '#base/sandbox/codeFailure.ts';
import { toFloatValue } from '../variables/float.ts';
import { isObjectValue } from '../variables/objectValue.ts';
import { type PythonLimits, PythonProcess } from './pythonProcess.ts';
import { pythonProgram } from './pythonProgram.ts';
import { Semaphore } from './semaphore.ts';

const defaultLimits: PythonLimits = { timeoutMs: 10_000, memoryBytes: 512 * 1024 * 1024, outputBytes: 4 * 1024 * 1024 };

/**
 * Arguments for bubblewrap: make files read-only, hide other processes and their environments, and kill the process with the gateway. The
 * network stays available.
 */
const bubblewrap = [
	'bwrap',
	'--unshare-all',
	'--share-net',
	'--die-with-parent',
	'--ro-bind',
	'/',
	'/',
	'--dev',
	'/dev',
	'--proc',
	'/proc',
	'--',
];

/**
 * Runs the Python of code nodes, each call in a separate process. A few calls run concurrently; others wait in first-come order. This
 * isn't a sandbox: enabling Python means trusting the agents' code. If bubblewrap is installed and works, code at least can't change files
 * or see other processes.
 */
export class PythonRunner {
	readonly #python: string;
	readonly #limits: PythonLimits;
	readonly #semaphore: Semaphore;
	#wrapper: readonly string[] | undefined;

	/** @param python path or name of the interpreter */
	constructor(python: string, limits: Partial<PythonLimits> = {}, maxProcesses = 4) {
		this.#python = python;
		this.#limits = { ...defaultLimits, ...limits };
		this.#semaphore = new Semaphore(maxProcesses);
	}

	/**
	 * Calls a program's `main(**inputs)` and returns its result. Rejects with the signal's reason.
	 * @throws {CodeFailure} with the program's error, or the limit it exceeded
	 */
	async run(code: string, inputs: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown> {
		const { memoryBytes, timeoutMs } = this.#limits;
		const rest = JSON.stringify({ code, memory: memoryBytes, seconds: Math.ceil(timeoutMs / 1000) + 1 });
		const job = `{"inputs":${serializeInputs(inputs)},${rest.slice(1)}\n`;
		using _permit = await this.#semaphore.acquirePermit(signal);
		this.#wrapper ??= await findSandboxWrapper(this.#python);
		signal.throwIfAborted();
		await using child = new PythonProcess([...this.#wrapper, this.#python, '-I', '-c', pythonProgram]);
		return parsePythonResult(await child.runJob(job, this.#limits, signal));
	}
}

/**
 * Returns the command to start Python with; empty if bubblewrap is missing or not permitted.
 * @throws {CodeFailure} if the system can't start any process right now, so bubblewrap couldn't be tested
 */
async function findSandboxWrapper(python: string): Promise<readonly string[]> {
	const [file = '', ...args] = bubblewrap;
	try {
		await promisify(execFile)(file, [...args, python, '-I', '-c', ''], { timeout: 5_000 });
		return bubblewrap;
	} catch (error) {
		if (['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'].includes(String((error as { code?: unknown }).code))) {
			throw new CodeFailure(`Couldn't start Python (${python}): ${(error as Error).message}`, { cause: error });
		}
		return [];
	}
}

function parsePythonResult(line: string): unknown {
	let reply: { readonly result?: unknown; readonly floats?: readonly string[]; readonly error?: string };
	try {
		reply = JSON.parse(line) as typeof reply;
	} catch (error) {
		throw new CodeFailure("Python didn't return a JSON value", { cause: error });
	}
	if (reply?.error !== undefined) {
		throw new CodeFailure(String(reply.error));
	}
	return isObjectValue(reply?.result) ? restoreFloats(reply.result, reply.floats ?? []) : reply?.result;
}

/** Restores floats: JSON doesn't distinguish `3.0` from `3`, so Python reports the names of its float outputs. */
function restoreFloats(result: Readonly<Record<string, unknown>>, names: readonly string[]): Readonly<Record<string, unknown>> {
	const floats = names.flatMap(name => (typeof result[name] === 'number' ? [[name, toFloatValue(result[name])] as const] : []));
	return { ...result, ...Object.fromEntries(floats) };
}
