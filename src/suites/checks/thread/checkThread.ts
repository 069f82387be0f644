import { parentPort } from 'node:worker_threads';
import { type Schema, Validator } from '@cfworker/json-schema';
import { loadSandbox } from '#base/sandbox/sandbox.ts';
import type { TaskMessage } from '#base/threads/tasks.ts';
import type { CheckTaskInputs, CheckTaskOutputs } from './checkTasks.ts';
import { countMatchingCalls } from './matchCalls.ts';
import { computeRougeL } from './rougeL.ts';

// Entry point of a ThreadPool thread for checks that can take arbitrarily long.

/** Half of the thread's limits, so that the sandbox can report its own timeout. */
const limits = { timeoutMs: 2_500, memoryBytes: 64 * 1024 * 1024 };
const mostErrors = 3;

let sandbox: ReturnType<typeof loadSandbox> | undefined;

const tasks: {
	readonly [Name in keyof CheckTaskInputs]: (input: CheckTaskInputs[Name]) => Promise<CheckTaskOutputs[Name]> | CheckTaskOutputs[Name];
} = {
	matches: ({ pattern, flags, text }) => new RegExp(pattern, flags).test(text),
	similar: ({ to, text }) => computeRougeL(to, text),
	trajectory: countMatchingCalls,
	schema({ schema, value }) {
		const { errors } = new Validator(schema as Schema, detectSchemaDraft(schema), false).validate(value);
		// these keywords only repeat the errors of inner values
		const relevant = errors.filter(({ keyword }) => keyword !== 'properties' && keyword !== 'items' && keyword !== '$ref');
		return (relevant.length > 0 ? relevant : errors)
			.slice(0, mostErrors)
			.map(({ instanceLocation, error }) => `${instanceLocation.replace(/^#\/?/, '') || 'the value'}: ${error.replace(/\.$/, '')}`);
	},
	async expression({ source, inputs }) {
		sandbox ??= loadSandbox(limits);
		const loaded = await sandbox;
		const reply = loaded.evaluateJob({ source, inputs });
		if (reply.spent || !loaded.prepareNextCall()) {
			sandbox = undefined;
		}
		if ('error' in reply) {
			throw new Error(reply.error);
		}
		return reply.result === undefined ? undefined : JSON.parse(reply.result);
	},
};

function detectSchemaDraft(schema: unknown): '4' | '7' | '2019-09' | '2020-12' {
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
	const send = (message: TaskMessage) => parentPort?.postMessage(message);
	try {
		if (job.name === 'expression') {
			// loading doesn't count as running time
			sandbox ??= loadSandbox(limits);
			await sandbox;
		}
		send({ id, begun: true });
		send({ id, result: await tasks[job.name](job.input) });
	} catch (error) {
		send({ id, error: { message: (error as Error).message } });
	}
});
