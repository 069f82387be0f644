import { parentPort } from 'node:worker_threads';
import { type Schema, Validator } from '@cfworker/json-schema';
import { loadSandbox } from '#base/sandbox/sandbox.ts';
import type { TaskMessage } from '#base/threads/tasks.ts';
import type { CheckTaskInputs, CheckTaskOutputs } from './checkTasks.ts';
import { rougeL } from './rougeL.ts';

// Begins a thread of ThreadPool that does what checks can make arbitrarily long.

/** A program may take half of what its thread may, so that it can say so itself. */
const limits = { timeoutMs: 2_500, memoryBytes: 64 * 1024 * 1024 };
const mostErrors = 3;

let sandbox: ReturnType<typeof loadSandbox> | undefined;

const tasks: {
	readonly [Name in keyof CheckTaskInputs]: (input: CheckTaskInputs[Name]) => Promise<CheckTaskOutputs[Name]> | CheckTaskOutputs[Name];
} = {
	matches: ({ pattern, flags, text }) => new RegExp(pattern, flags).test(text),
	similar: ({ to, text }) => rougeL(to, text),
	schema({ schema, value }) {
		const { errors } = new Validator(schema as Schema, draftOf(schema), false).validate(value);
		// the last ones name the innermost places
		const told = errors.filter(({ keyword }) => keyword !== 'properties' && keyword !== 'items' && keyword !== '$ref');
		return (told.length > 0 ? told : errors)
			.slice(0, mostErrors)
			.map(({ instanceLocation, error }) => `${instanceLocation.replace(/^#\/?/, '') || 'the value'}: ${error.replace(/\.$/, '')}`);
	},
	async expression({ source, inputs }) {
		sandbox ??= loadSandbox(limits);
		const loaded = await sandbox;
		const reply = loaded.evaluate({ source, inputs });
		if (reply.spent || !loaded.renew()) {
			sandbox = undefined;
		}
		if ('error' in reply) {
			throw new Error(reply.error);
		}
		return reply.result === undefined ? undefined : JSON.parse(reply.result);
	},
};

function draftOf(schema: unknown): '4' | '7' | '2019-09' | '2020-12' {
	const named = String((schema as { readonly $schema?: unknown }).$schema ?? '');
	return named.includes('draft-04')
		? '4'
		: named.includes('draft-07') || named.includes('draft-06')
			? '7'
			: named.includes('2019-09')
				? '2019-09'
				: '2020-12';
}

parentPort?.on('message', async (job: { readonly id: number; readonly name: keyof CheckTaskInputs; readonly input: never }) => {
	const { id } = job;
	const tell = (message: TaskMessage) => parentPort?.postMessage(message);
	try {
		if (job.name === 'expression') {
			// loading it is not the program's time
			sandbox ??= loadSandbox(limits);
			await sandbox;
		}
		tell({ id, begun: true });
		tell({ id, result: await tasks[job.name](job.input) });
	} catch (error) {
		tell({ id, error: { message: (error as Error).message } });
	}
});
