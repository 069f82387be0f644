import * as z from 'zod';
import type { Path } from '#agentFile/agentText.ts';
import { toFloatValue } from '../variables/float.ts';
import type { AgentDocument } from './agentDocument.ts';
import type { FailurePolicy } from './agentTypes.ts';

/** Error handling settings in `data` of any node. */
export const failureSchema = z.looseObject({
	error_strategy: z.enum(['none', 'fail-branch', 'default-value']).nullish(),
	default_value: z.array(z.looseObject({ key: z.string(), type: z.string(), value: z.unknown().optional() })).nullish(),
	retry_config: z
		.looseObject({
			retry_enabled: z.boolean().nullish(),
			max_retries: z.number().nullish(),
			retry_interval: z.number().nullish(),
		})
		.nullish(),
});

/** Maximum retries and delay in milliseconds that a file can set; the hosted service's editor offers 10 and 5000. */
const maxRetries = 10;
const maxRetryDelayMs = 60_000;

/** Reads how a node handles failures (workflow DSL, "Failure handling"). @throws {AgentFileError} */
export function readFailurePolicy(data: unknown, document: AgentDocument, path: Path): FailurePolicy {
	const { error_strategy, default_value, retry_config: retry } = document.checkValue(failureSchema, data, path);
	return {
		strategy: error_strategy ?? 'none',
		defaults: Object.fromEntries(
			(default_value ?? []).map(({ key, type, value }, index) => {
				try {
					return [key, parseDefaultValue(type, value)];
				} catch {
					return document.throwFault([...path, 'default_value', index, 'value'], `isn't a value of type ${type}`);
				}
			}),
		),
		retries: retry?.retry_enabled ? Math.min(Math.max(0, retry.max_retries ?? 0), maxRetries) : 0,
		retryDelayMs: Math.min(Math.max(0, retry?.retry_interval ?? 0), maxRetryDelayMs),
	};
}

/** Parses a default value that is given as a string. @throws if the string isn't valid for the type */
function parseDefaultValue(type: string, value: unknown): unknown {
	if (typeof value !== 'string' || type === 'string') {
		return value ?? null;
	}
	if (type === 'number') {
		const number = Number(value);
		if (value.trim() === '' || Number.isNaN(number)) {
			throw new Error('not a number');
		}
		// the hosted service parses every such string with float()
		return toFloatValue(number);
	}
	const parsed: unknown = JSON.parse(value);
	if (type.startsWith('array') !== Array.isArray(parsed)) {
		throw new Error('not of its type');
	}
	return parsed;
}
