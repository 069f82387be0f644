import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { inputsText } from '#base/sandbox/codeData.ts';
import { CodeFailure } from '#base/sandbox/codeFailure.ts';
import { float } from '../variables/float.ts';
import { isObjectValue } from '../variables/objectValue.ts';
import { Places } from './places.ts';
import { type PythonLimits, PythonProcess } from './pythonProcess.ts';
import { pythonProgram } from './pythonProgram.ts';

const defaultLimits: PythonLimits = { timeoutMs: 10_000, memoryBytes: 512 * 1024 * 1024, outputBytes: 4 * 1024 * 1024 };

/** bubblewrap: no writing, no view of other processes and their environments, and the end with the gateway. The network stays. */
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
 * Runs Python of code nodes, each call in a process of its own, a few at a time; the others wait in the order they came. That is no sandbox: whoever
 * switches Python on trusts the agents' code. Where bubblewrap is installed and works, code can at least not change files or see other processes.
 */
export class PythonRunner {
	readonly #python: string;
	readonly #limits: PythonLimits;
	readonly #places: Places;
	#wrapper: readonly string[] | undefined;

	/** `python`: path or name of the interpreter. */
	constructor(python: string, limits: Partial<PythonLimits> = {}, maxProcesses = 4) {
		this.#python = python;
		this.#limits = { ...defaultLimits, ...limits };
		this.#places = new Places(maxProcesses);
	}

	/**
	 * Calls `main(**inputs)` of a program. Rejects with the signal's reason.
	 * @throws {CodeFailure} with the program's error, or the limit it ran into
	 */
	async run(code: string, inputs: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown> {
		const { memoryBytes, timeoutMs } = this.#limits;
		const rest = JSON.stringify({ code, memory: memoryBytes, seconds: Math.ceil(timeoutMs / 1000) + 1 });
		const job = `{"inputs":${inputsText(inputs)},${rest.slice(1)}\n`;
		using _place = await this.#places.take(signal);
		this.#wrapper ??= await wrapperFor(this.#python);
		signal.throwIfAborted();
		await using child = new PythonProcess([...this.#wrapper, this.#python, '-I', '-c', pythonProgram]);
		return resultIn(await child.call(job, this.#limits, signal));
	}
}

/**
 * The command that Python is started by: none where bubblewrap is missing, or may not do its work.
 * @throws {CodeFailure} where no process can be started now, which says nothing of bubblewrap
 */
async function wrapperFor(python: string): Promise<readonly string[]> {
	const [file = '', ...args] = bubblewrap;
	try {
		await promisify(execFile)(file, [...args, python, '-I', '-c', ''], { timeout: 5_000 });
		return bubblewrap;
	} catch (error) {
		if (['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'].includes(String((error as { code?: unknown }).code))) {
			throw new CodeFailure(`Python cannot be started (${python}): ${(error as Error).message}`, { cause: error });
		}
		return [];
	}
}

function resultIn(line: string): unknown {
	let reply: { readonly result?: unknown; readonly floats?: readonly string[]; readonly error?: string };
	try {
		reply = JSON.parse(line) as typeof reply;
	} catch (error) {
		throw new CodeFailure('Python gave no JSON', { cause: error });
	}
	if (reply?.error !== undefined) {
		throw new CodeFailure(String(reply.error));
	}
	return isObjectValue(reply?.result) ? withFloats(reply.result, reply.floats ?? []) : reply?.result;
}

/** JSON cannot tell `3.0` from `3`: Python says which of its outputs are floats. */
function withFloats(result: Readonly<Record<string, unknown>>, names: readonly string[]): Readonly<Record<string, unknown>> {
	const floats = names.flatMap(name => (typeof result[name] === 'number' ? [[name, float(result[name])] as const] : []));
	return { ...result, ...Object.fromEntries(floats) };
}
