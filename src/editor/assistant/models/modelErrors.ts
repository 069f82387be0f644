import * as vscode from 'vscode';
import { getErrorMessage, getErrorReason } from '#base/problems.ts';

/** Our error reasons, and error codes of services, for refused content. */
const blocked = new Set(['blocked', 'content_policy_violation', 'content_filter']);

/** Converts known errors to a `LanguageModelError`, which callers recognize by its code, and others to an error with the same message. */
export function toModelError(error: unknown): Error {
	const reason = getErrorReason(error) ?? '';
	const { status, code } = getErrorDetails(error);
	const message = getErrorMessage(error);
	if (blocked.has(reason) || blocked.has(code ?? '')) {
		return vscode.LanguageModelError.Blocked(message);
	}
	if (
		reason === 'key-missing' ||
		reason === 'untrusted' ||
		(reason === 'auth' && (status === undefined || status === 401 || status === 403))
	) {
		return vscode.LanguageModelError.NoPermissions(message);
	}
	if (reason === 'not-found' || reason === 'not-published' || reason === 'unknown-connection') {
		return vscode.LanguageModelError.NotFound(message);
	}
	return new Error(message);
}

/** Reads the HTTP status and the code of a client error, or of the client error that caused a `Problem`. */
function getErrorDetails(error: unknown): { readonly status?: number; readonly code?: string } {
	const fields = (error instanceof Error && error.name === 'Problem' ? error.cause : error) as
		| { status?: unknown; code?: unknown }
		| undefined;
	return {
		...(typeof fields?.status === 'number' && { status: fields.status }),
		...(typeof fields?.code === 'string' && { code: fields.code }),
	};
}
