import * as z from 'zod';
import { NodeError } from '../nodeError.ts';
import { findJsonInReply } from './replyJson.ts';

/**
 * Parses the object in a reply and checks it against the requested schema. Unsupported parts of the schema aren't checked.
 * @throws {NodeError} if there is no object, or it doesn't match
 */
export function parseStructuredOutput(reply: string, schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
	const found = findJsonInReply(reply);
	if (!found) {
		throw new NodeError(
			`Failed to parse structured output (stage=result, path=$): the reply isn't the requested JSON object: ${reply.slice(0, 200)}`,
			'OutputParserError',
		);
	}
	const issue = getSchemaCheck(schema)?.safeParse(found).error?.issues[0];
	if (issue) {
		const path = issue.path.map(key => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
		throw new NodeError(`Structured output validation failed (stage=result, path=$${path}): ${issue.message}`, 'OutputParserError');
	}
	return found;
}

function getSchemaCheck(schema: Readonly<Record<string, unknown>>): z.ZodType | undefined {
	try {
		return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
	} catch {
		return undefined;
	}
}
