import type { TaskOutputs } from '#base/threads/tasks.ts';
import { ThreadPool } from '#base/threads/threadPool.ts';
import { taskThreadFile } from '../../threads/taskThreadFile.ts';
import { getWeightWithin } from '../../variables/weight.ts';
import { NodeError } from '../nodeError.ts';
import { findJsonInReply } from './replyJson.ts';
import { findSchemaIssue } from './schemaIssue.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Checks objects that may take long. Its threads end with their run, or when they are idle. */
const threads = new ThreadPool(taskThreadFile, { maxThreads: 2, timeoutMs: 2000, memoryMb: 256 });
/** Maximum weight of a schema, and of a value, to check without a thread. */
const quickWeight = 20_000;

/**
 * Parses the object in a reply and checks it against the requested schema. Unsupported parts of the schema aren't checked.
 * @throws {NodeError} if there is no object, or it doesn't match, or the check takes too long
 */
export async function parseStructuredOutput(reply: string, schema: Schema, signal: AbortSignal): Promise<Schema> {
	const value = findJsonInReply(reply);
	if (!value) {
		throw new NodeError(
			`Failed to parse structured output (stage=result, path=$): the reply isn't the requested JSON object: ${reply.slice(0, 200)}`,
			'OutputParserError',
		);
	}
	const issue = await findValueIssue(schema, value, signal);
	if (issue !== null) {
		throw new NodeError(`Structured output validation failed (stage=result, path=${issue.path}): ${issue.message}`, 'OutputParserError');
	}
	return value;
}

/**
 * Returns the first part of a value that doesn't match its JSON schema; null if there is none.
 * @throws {NodeError} if the check takes too long
 */
export async function findValueIssue(schema: Schema, value: Schema, signal: AbortSignal): Promise<TaskOutputs['schema']> {
	return isQuick(schema, value) ? findSchemaIssue({ schema, value }) : findIssueInThread(schema, value, signal);
}

/** True if the check takes time at most in proportion to the product of the sizes, which are small. */
function isQuick(schema: Schema, value: Schema): boolean {
	return [schema, value].every(each => getWeightWithin(each, quickWeight) !== undefined) && !/"(?:\$|pattern)/.test(JSON.stringify(schema));
}

async function findIssueInThread(schema: Schema, value: Schema, signal: AbortSignal): Promise<TaskOutputs['schema']> {
	try {
		return await threads.run('schema', { schema, value }, signal);
	} catch (cause) {
		signal.throwIfAborted();
		const { message } = cause as Error;
		throw new NodeError(`Couldn't check the structured output against its schema: ${message}`, 'OutputParserError', { cause });
	}
}
