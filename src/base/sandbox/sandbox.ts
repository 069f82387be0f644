import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
	newQuickJSWASMModuleFromVariant,
	newVariant,
	type QuickJSContext,
	type QuickJSHandle,
	type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { maxDataBytes } from './codeData.ts';
import { type CodeJob, type CodeLimits, type CodeOutcome, type CodeReply, formatTimeout } from './codeJob.ts';
import { formatFailure } from './failureText.ts';

/** Name of the program in its stack traces. */
const programName = 'main.js';
/** Stack size in bytes. Enough for deep recursion, but less than the WebAssembly module has. */
const stackBytes = 512 * 1024;
/** Maximum number of promise jobs of a program. Stops programs that wait only for themselves. */
const maxTurns = 100_000;
/** Size of a WebAssembly memory page, and initial memory of the module, in bytes. */
const pageBytes = 65_536;
const initialBytes = 16 * 1024 * 1024;
/** Maximum memory that a thread may keep for the next call, because memory is never freed. */
const keptBytes = 32 * 1024 * 1024;

/** Defines a console that drops its output, because programs written for Node use one. */
const prelude =
	'globalThis.console = Object.fromEntries(["log", "info", "warn", "error", "debug", "trace"].map(name => [name, () => {}]));';

/** Replaces the clock and the random numbers (mulberry32) of a program whose result must be repeatable. */
const createFixedPrelude = ({ time, seed }: NonNullable<CodeJob['fixed']>) => `{
	const Real = Date;
	globalThis.Date = function Date(...given) {
		return new.target ? Reflect.construct(Real, given.length > 0 ? given : [${time}], new.target) : new Real(${time}).toString();
	};
	Object.setPrototypeOf(Date, Real);
	Date.prototype = Real.prototype;
	Date.prototype.constructor = Date;
	Date.now = () => ${time};
	let state = ${seed >>> 0};
	Math.random = () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
}`;

/** Calls `main`, which may be async, with its inputs and serializes the result. */
const call = `(async () => JSON.stringify(await main(JSON.parse(__inputs))))()`;

/** Runs calls of programs. Each call gets a separate runtime and context without access to anything outside. */
interface Sandbox {
	evaluateJob(job: CodeJob): CodeReply;
	/**
	 * Cleans up after a call and prepares for the next. Should be called after sending the reply. Returns false if no further call is
	 * possible.
	 */
	prepareNextCall(): boolean;
}

/**
 * Loads QuickJS once for any number of calls. Limits the WebAssembly memory as a whole, because QuickJS's own limit misses almost
 * everything: the module doesn't know the sizes of allocations.
 */
export async function loadSandbox(limits: CodeLimits): Promise<Sandbox> {
	const memory = new WebAssembly.Memory({ initial: initialBytes / pageBytes, maximum: limits.memoryBytes / pageBytes });
	const quickJs = await newQuickJSWASMModuleFromVariant(
		// drop the module's output, because standard error is the gateway's log
		newVariant(variant, { wasmMemory: memory, emscriptenModule: { print: () => {}, printErr: () => {} } as object }),
	);
	const sandbox = new QuickJsSandbox(quickJs, memory, limits);
	sandbox.prepareNextCall();
	return sandbox;
}

class QuickJsSandbox implements Sandbox {
	readonly #quickJs: QuickJSWASMModule;
	readonly #memory: WebAssembly.Memory;
	readonly #limits: CodeLimits;
	/** The context for the next call, created in advance because creating it takes longer than running a short program. */
	#fresh: QuickJSContext | undefined;
	#used: QuickJSContext | undefined;
	#deadline = Number.POSITIVE_INFINITY;
	#late = false;

	constructor(quickJs: QuickJSWASMModule, memory: WebAssembly.Memory, limits: CodeLimits) {
		this.#quickJs = quickJs;
		this.#memory = memory;
		this.#limits = limits;
	}

	evaluateJob(job: CodeJob): CodeReply {
		try {
			const context = this.#fresh ?? this.#createContext();
			this.#fresh = undefined;
			this.#used = context;
			this.#deadline = performance.now() + this.#limits.timeoutMs;
			const outcome = this.#runJob(context, job);
			// a failed program may have broken QuickJS: check before the next call
			return { ...outcome, spent: this.#memory.buffer.byteLength > keptBytes || ('error' in outcome && !this.#disposeUsedContext()) };
		} catch (error) {
			// QuickJS itself failed: it may have used the memory that it couldn't allocate
			return {
				error: this.#isMemoryFull() ? this.#formatMemoryError() : `Couldn't run the code: ${(error as Error).message}`,
				spent: true,
			};
		}
	}

	prepareNextCall(): boolean {
		try {
			const whole = this.#disposeUsedContext();
			this.#fresh ??= whole ? this.#createContext() : undefined;
			return whole;
		} catch {
			return false;
		}
	}

	#createContext(): QuickJSContext {
		this.#deadline = Number.POSITIVE_INFINITY;
		this.#late = false;
		const runtime = this.#quickJs.newRuntime();
		runtime.setMaxStackSize(stackBytes);
		runtime.setInterruptHandler(() => {
			this.#late = performance.now() > this.#deadline;
			return this.#late;
		});
		const context = runtime.newContext();
		context.unwrapResult(context.evalCode(prelude, 'prelude.js')).dispose();
		return context;
	}

	#disposeUsedContext(): boolean {
		const used = this.#used;
		this.#used = undefined;
		return used === undefined || tryDisposeContext(used);
	}

	#runJob(context: QuickJSContext, job: CodeJob): CodeOutcome {
		context.newString(job.inputs).consume(inputs => context.setProp(context.global, '__inputs', inputs));
		if (job.fixed) {
			context.unwrapResult(context.evalCode(createFixedPrelude(job.fixed), 'prelude.js')).dispose();
		}
		const program = context.evalCode(job.source, programName);
		if (program.error) {
			return this.#createFailure(context, program);
		}
		program.value.dispose();
		const called = context.evalCode(call, 'call.js');
		if (called.error) {
			return this.#createFailure(context, called);
		}
		return called.value.consume(promise => {
			context.runtime.executePendingJobs(maxTurns).dispose();
			const state = context.getPromiseState(promise);
			if (state.type === 'fulfilled') {
				return state.value.consume(value => readResult(context, value));
			}
			if (state.type === 'rejected') {
				return this.#createFailure(context, state);
			}
			return {
				error: this.#late
					? formatTimeout(this.#limits)
					: "main() waits for something that can't happen. Timers and the network aren't available here.",
			};
		});
	}

	#createFailure(context: QuickJSContext, { error }: { readonly error: QuickJSHandle }): CodeOutcome {
		const text = error.consume(thrown => formatFailure(context, thrown, programName));
		if (this.#late) {
			return { error: formatTimeout(this.#limits) };
		}
		// when memory runs out, there may not be an error object either
		const outOfMemory = text.startsWith('InternalError: out of memory') || (text === 'Error: null' && this.#isMemoryFull());
		return { error: outOfMemory ? this.#formatMemoryError() : text };
	}

	#formatMemoryError(): string {
		return `The code needs more than ${this.#limits.memoryBytes / 1024 / 1024} MB of memory, the limit for code`;
	}

	/** Approximate, because the memory keeps its size if the next growth doesn't fit. */
	#isMemoryFull(): boolean {
		return this.#memory.buffer.byteLength >= 0.75 * this.#limits.memoryBytes;
	}
}

function readResult(context: QuickJSContext, value: QuickJSHandle): CodeOutcome {
	if (context.typeof(value) !== 'string') {
		return { result: undefined };
	}
	const length = context.getProp(value, 'length').consume(each => context.getNumber(each));
	return length > maxDataBytes
		? { error: `The output of the code is larger than ${maxDataBytes / 1024 / 1024} MB` }
		: { result: context.getString(value) };
}

/** Disposes a context. Returns false if a program that exhausted its stack or memory has corrupted QuickJS. */
function tryDisposeContext(context: QuickJSContext): boolean {
	try {
		const { runtime } = context;
		context.dispose();
		runtime.dispose();
		return true;
	} catch {
		return false;
	}
}
