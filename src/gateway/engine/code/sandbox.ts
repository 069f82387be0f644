import variant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, type QuickJSContext, type QuickJSWASMModule } from 'quickjs-emscripten-core';
import type { CodeJob, CodeOutcome, CodeReply } from './codeJob.ts';

/** Name of the program in its stack traces. */
const programName = 'main.js';
/** Bytes of stack; enough for deep recursion, less than the module has. */
const stackBytes = 512 * 1024;
/** Turns that promises of a program get; one that waits for nothing else than itself ends here. */
const maxTurns = 100_000;

/** Programs for Node write to a console; here nobody reads it. */
const prelude =
	'globalThis.console = Object.fromEntries(["log", "info", "warn", "error", "debug", "trace"].map(name => [name, () => {}]));';

/** Calls the program with its inputs and gives the result as JSON, whether `main` is async or not. */
const call = `(async () => JSON.stringify(await main(JSON.parse(__inputs))))()`;

/** Loads QuickJS once; the returned function runs each call in a runtime of its own. */
export async function loadSandbox(): Promise<(job: CodeJob) => CodeReply> {
	const quickJs = await newQuickJSWASMModuleFromVariant(variant);
	return job => evaluate(quickJs, job);
}

function evaluate(quickJs: QuickJSWASMModule, job: CodeJob): CodeReply {
	const runtime = quickJs.newRuntime();
	const deadline = performance.now() + job.timeoutMs;
	let late = false;
	runtime.setMemoryLimit(job.memoryBytes);
	runtime.setMaxStackSize(stackBytes);
	runtime.setInterruptHandler(() => {
		late = performance.now() > deadline;
		return late;
	});
	const context = runtime.newContext();
	const reply = { id: job.id, ...outcome(context, job, () => late) };
	try {
		context.dispose();
		runtime.dispose();
		return reply;
	} catch {
		// after a program that has used up its stack or memory, QuickJS can find its own books wrong
		return { ...reply, broken: true };
	}
}

function outcome(context: QuickJSContext, job: CodeJob, late: () => boolean): CodeOutcome {
	context.newString(job.inputs).consume(inputs => context.setProp(context.global, '__inputs', inputs));
	context.unwrapResult(context.evalCode(prelude, 'prelude.js')).dispose();
	const program = context.evalCode(job.source, programName);
	if (program.error) {
		return {
			error: failure(
				program.error.consume(error => context.dump(error)),
				late(),
				job,
			),
		};
	}
	program.value.dispose();
	return settled(context, job, late);
}

function settled(context: QuickJSContext, job: CodeJob, late: () => boolean): CodeOutcome {
	const called = context.evalCode(call, 'call.js');
	if (called.error) {
		return {
			error: failure(
				called.error.consume(error => context.dump(error)),
				late(),
				job,
			),
		};
	}
	return called.value.consume(promise => {
		const turns = context.runtime.executePendingJobs(maxTurns);
		turns.dispose();
		const state = context.getPromiseState(promise);
		if (state.type === 'fulfilled') {
			return { result: state.value.consume(value => context.dump(value) as string | undefined) };
		}
		if (state.type === 'rejected') {
			return {
				error: failure(
					state.error.consume(error => context.dump(error)),
					late(),
					job,
				),
			};
		}
		return { error: late() ? timeoutText(job) : 'main() waits for something that never comes: there are no timers and no network here' };
	});
}

function failure(thrown: unknown, late: boolean, job: CodeJob): string {
	if (late) {
		return timeoutText(job);
	}
	const { name, message, stack } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as Record<string, unknown>;
	if (message === 'out of memory') {
		return `The code needs more than ${job.memoryBytes / 1024 / 1024} MB of memory, the most it may use`;
	}
	if (name === undefined && message === undefined) {
		return `Error: ${typeof thrown === 'string' ? thrown : JSON.stringify(thrown)}`;
	}
	const line = /main\.js:(\d+)/.exec(String(stack))?.[1];
	return `${String(name ?? 'Error')}: ${String(message)}${line ? ` (line ${line})` : ''}`;
}

function timeoutText({ timeoutMs }: CodeJob): string {
	return `The code did not end within ${timeoutMs / 1000} seconds, the most it may take`;
}
