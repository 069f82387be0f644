import * as z from 'zod';
import type { TaskInputs, TaskOutputs } from '#base/threads/tasks.ts';

/**
 * Returns the first part of a value that doesn't match its JSON schema; null if there is none. Unsupported parts of the schema aren't
 * checked. It may never return, because patterns and references can take forever, so call it in a thread that can be terminated.
 */
export function findSchemaIssue({ value, schema }: TaskInputs['schema']): TaskOutputs['schema'] {
	const issue = createSchemaCheck(schema)?.safeParse(value).error?.issues[0];
	if (!issue) {
		return null;
	}
	const path = issue.path.map(key => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
	return { path: `$${path}`, message: issue.message };
}

function createSchemaCheck(schema: TaskInputs['schema']['schema']): z.ZodType | undefined {
	try {
		return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
	} catch {
		return undefined;
	}
}
