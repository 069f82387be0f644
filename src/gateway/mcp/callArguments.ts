import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { FileObject } from '#contract/workflows.ts';
import type { FileArguments } from './fileArguments.ts';
import type { ToolArgument, ToolInputs } from './toolInputs.ts';

/** Arguments of a call, converted to what an agent's run needs. */
export interface CallArguments {
	readonly inputs: Readonly<Record<string, unknown>>;
	readonly files: readonly FileObject[];
	readonly query: string;
	readonly conversation: string | undefined;
}

/** Reads the arguments of a call. Throws an error (400) for unknown arguments, and for an invalid query, conversation or file. */
export async function readArguments(
	{ inputs, others }: ToolInputs,
	given: Readonly<Record<string, unknown>>,
	files: FileArguments,
): Promise<CallArguments> {
	const byName = new Map(inputs.map(input => [input.name as string, input]));
	const unknown = Object.keys(given).find(name => !byName.has(name) && !others);
	if (unknown !== undefined) {
		throw createArgumentError(`Unknown input '${unknown.slice(0, 100)}'`);
	}
	const values: [string, unknown][] = [];
	for (const [name, value] of Object.entries(given)) {
		const input = byName.get(name);
		if (input?.kind !== 'call' && value !== null) {
			values.push([input?.variable.variable ?? name, input ? await readInput(input, value, files) : value]);
		}
	}
	return {
		inputs: Object.fromEntries(values),
		files: byName.has('files') ? await readFiles('files', given['files'] ?? [], files) : [],
		query: byName.get('query')?.kind === 'call' ? readText('query', given['query']) : '',
		conversation:
			byName.get('conversation_id')?.kind === 'call' && given['conversation_id']
				? readText('conversation_id', given['conversation_id'])
				: undefined,
	};
}

async function readInput(
	{ name, variable }: Extract<ToolArgument, { kind: 'variable' }>,
	value: unknown,
	files: FileArguments,
): Promise<unknown> {
	switch (variable.type) {
		case 'file':
			return value === '' ? value : files.readFileArgument(name, value, variable.allowedFileTypes);
		case 'file-list':
			return readFiles(name, value, files, variable.allowedFileTypes);
		default:
			return value;
	}
}

async function readFiles(name: string, value: unknown, files: FileArguments, allowed: readonly string[] = []): Promise<FileObject[]> {
	if (!Array.isArray(value)) {
		throw createArgumentError(`${name} must be a list of files`);
	}
	return Promise.all(value.map(each => files.readFileArgument(name, each, allowed)));
}

function readText(name: string, value: unknown): string {
	if (typeof value !== 'string' || value === '') {
		throw createArgumentError(value === undefined ? `${name} is required` : `${name} must be a non-empty string`);
	}
	return value;
}

function createArgumentError(message: string): ServiceFault {
	return new ServiceFault(400, message);
}
