import type { AgentErrorBody, ContentErrorBody, MessagesErrorBody, OpenAiErrorBody } from '../errors.ts';
import { getFaultKind } from './faultKinds.ts';
import type { RouteGroup } from './routeGroup.ts';
import type { FaultDetails, ServiceFault } from './serviceFault.ts';

/**
 * Creates the error body in the format of the caller's protocol: Dify's for A and B, Anthropic's for C and D, Google's for E, OpenAI's for
 * its endpoints, JSON-RPC's for MCP.
 */
export function createErrorBody(
	group: RouteGroup,
	fault: ServiceFault,
	requestId: string,
): AgentErrorBody | MessagesErrorBody | ContentErrorBody | OpenAiErrorBody | JsonRpcErrorBody {
	const { status, message, details } = fault;
	switch (group) {
		case 'messages':
			return {
				type: 'error',
				error: { type: details.code ?? getFaultKind(status).messages, message, ...(details.details && { details: details.details }) },
				request_id: requestId,
			};
		case 'content':
			return {
				error: {
					code: status,
					message,
					status: details.code ?? getFaultKind(status).content,
					...createContentDetails(details),
				},
			};
		case 'openai':
			return createOpenAiError(fault);
		case 'mcp':
			return { jsonrpc: '2.0', id: null, error: { code: getRpcCode(status), message } };
		default:
			return {
				code: details.code ?? getFaultKind(status).agent,
				message,
				status,
				...(details.params !== undefined && { params: details.params }),
			};
	}
}

/** Creates OpenAI's error body, with all four keys. */
export function createOpenAiError({ status, message, details, reason }: ServiceFault): OpenAiErrorBody {
	const { type, code: usual } = getFaultKind(status).openai;
	const code = reason === 'context-length' ? 'context_length_exceeded' : usual;
	return { error: { message, type, param: details.params ?? null, code: details.code === undefined ? code : details.code } };
}

/** JSON-RPC 2.0 error; the request ID isn't known here. */
interface JsonRpcErrorBody {
	readonly jsonrpc: '2.0';
	readonly id: null;
	readonly error: { readonly code: number; readonly message: string };
}

/** Returns the JSON-RPC code of a status. 400 means that the body couldn't be parsed, because errors in its content have separate codes. */
function getRpcCode(status: number): number {
	if (status === 400) {
		return -32_700;
	}
	return status >= 500 ? -32_603 : -32_000;
}

/** Creates Google's list of details, with the wait time in the format that its clients read (wire facts 4.3). */
function createContentDetails({ details, headers }: FaultDetails): Pick<ContentErrorBody['error'], 'details'> {
	const wait = /^\d+(\.\d+)?$/.exec(headers?.['retry-after'] ?? '')?.[0];
	const list = [
		...(Array.isArray(details) ? (details as readonly unknown[]) : []),
		...(wait === undefined ? [] : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${wait}s` }]),
	];
	return list.length > 0 ? { details: list } : {};
}
