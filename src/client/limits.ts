import type { Endpoint } from '#contract/endpoints/endpoint.ts';
import { endpoints } from '#contract/endpoints/endpoints.ts';
import { createSchemaProblem, describeIssue } from '#contract/problems.ts';
import type { Call, CheckedCall } from './call.ts';

/** A broken rule of the contract: the field as a path, and what it must be. */
interface LimitFault {
	readonly field: string;
	readonly message: string;
}

/**
 * Finds the endpoint of a call and checks the call's limits. This file is in a separate chunk with the endpoints, because zod takes 10 ms
 * to load and isn't needed before the first request.
 */
export function checkCall(call: Call): CheckedCall | { readonly fault: LimitFault } {
	const endpoint: Endpoint = endpoints[call.operation];
	for (const [field, value] of Object.entries(call.path ?? {})) {
		// `.` and `..` would change the path (`/run/../x`)
		if (typeof value !== 'string' || value === '' || /^\.{1,2}$/.test(value)) {
			return { fault: { field, message: `expected an ID or a name, got ${JSON.stringify(value)}` } };
		}
	}
	const schemas = { query: endpoint.query, body: endpoint.sent ?? endpoint.body };
	const checked: { query?: Record<string, unknown>; body?: Record<string, unknown> } = {};
	for (const part of ['query', 'body'] as const) {
		const [schema, value] = [schemas[part], call[part]];
		if (schema && value !== undefined) {
			const result = schema.safeParse(value, { error: describeIssue });
			if (!result.success) {
				return { fault: createSchemaProblem(result.error, value) };
			}
			checked[part] = result.data as Record<string, unknown>;
		}
	}
	return { ...call, ...checked, endpoint };
}
