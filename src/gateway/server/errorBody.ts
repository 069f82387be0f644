import type { AgentErrorBody, ContentErrorBody, MessagesErrorBody } from '../../protocol/errors.ts';
import type { RouteGroup } from './route.ts';
import type { ServiceFault } from './serviceFault.ts';

/** Error body in the form of the caller's protocol: Dify's for A and B, Anthropic's for C and D, Google's for E. */
export function errorBody(
	group: RouteGroup,
	fault: ServiceFault,
	requestId: string,
): AgentErrorBody | MessagesErrorBody | ContentErrorBody {
	const { status, message, details } = fault;
	switch (group) {
		case 'messages':
			return {
				type: 'error',
				error: { type: details.code ?? messagesType(status), message, ...(details.details && { details: details.details }) },
				request_id: requestId,
			};
		case 'content':
			return {
				error: {
					code: status,
					message,
					status: details.code ?? contentStatus(status),
					...(Array.isArray(details.details) && { details: details.details }),
				},
			};
		default:
			return { code: details.code ?? agentCode(status), message, status, ...(details.params !== undefined && { params: details.params }) };
	}
}

/** Dify's code of a status (wire facts 1.6). */
function agentCode(status: number): string {
	return agentCodes[status] ?? (status >= 500 ? 'internal_server_error' : 'bad_request');
}

/** Anthropic's error type of a status (wire facts 2.3). */
function messagesType(status: number): string {
	return messagesTypes[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
}

/** Google's status name of an HTTP status (wire facts 4.3). */
function contentStatus(status: number): string {
	return contentStatuses[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT');
}

const agentCodes: Readonly<Record<number, string>> = {
	400: 'invalid_param',
	401: 'unauthorized',
	403: 'forbidden',
	404: 'not_found',
	405: 'method_not_allowed',
	413: 'file_too_large',
	415: 'unsupported_media_type',
	429: 'too_many_requests',
};

const messagesTypes: Readonly<Record<number, string>> = {
	401: 'authentication_error',
	402: 'billing_error',
	403: 'permission_error',
	404: 'not_found_error',
	409: 'conflict_error',
	413: 'request_too_large',
	429: 'rate_limit_error',
	504: 'timeout_error',
	529: 'overloaded_error',
};

const contentStatuses: Readonly<Record<number, string>> = {
	401: 'UNAUTHENTICATED',
	402: 'RESOURCE_EXHAUSTED',
	403: 'PERMISSION_DENIED',
	404: 'NOT_FOUND',
	409: 'ABORTED',
	429: 'RESOURCE_EXHAUSTED',
	499: 'CANCELLED',
	502: 'UNAVAILABLE',
	503: 'UNAVAILABLE',
	504: 'DEADLINE_EXCEEDED',
	529: 'UNAVAILABLE',
};
