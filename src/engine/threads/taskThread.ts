import { parentPort } from 'node:worker_threads';
import type { TaskInputs, TaskMessage, TaskName, TaskOutputs } from '#base/threads/tasks.ts';

// Entry point of a ThreadPool thread, which runs one task at a time. It loads modules on first use, before the task's time limit starts.
const tasks: { readonly [Name in TaskName]: () => Promise<(input: TaskInputs[Name]) => TaskOutputs[Name] | Promise<TaskOutputs[Name]>> } = {
	async template() {
		const { Jinja } = await import('../jinja/jinja.ts');
		const { Float } = await import('../variables/float.ts');
		return ({ text, values, floats = [] }) =>
			new Jinja(text).render({ ...values, ...Object.fromEntries(floats.map(name => [name, new Float(values[name] as number)])) });
	},
	async document() {
		const { readDocumentText } = await import('../documents/documents.ts');
		return readDocumentText;
	},
	async schema() {
		const { findSchemaIssue } = await import('../nodes/model/schemaIssue.ts');
		return findSchemaIssue;
	},
};

parentPort?.on('message', async (job: { readonly id: number; readonly name: TaskName; readonly input: never }) => {
	const { id } = job;
	const postToParent = (message: TaskMessage) => parentPort?.postMessage(message);
	try {
		const task = await tasks[job.name]();
		postToParent({ id, begun: true });
		postToParent({ id, result: await task(job.input) });
	} catch (error) {
		const { message, type } = error as { readonly message: string; readonly type?: string };
		postToParent({ id, error: { message, ...(type !== undefined && { type }) } });
	}
});
