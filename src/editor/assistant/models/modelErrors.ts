import * as vscode from 'vscode';
import { messageOf, reasonOf } from '#base/problems.ts';

/** Reasons of ours, and codes of services, by which content was refused. */
const blocked = new Set(['blocked', 'content_policy_violation', 'content_filter']);

/** A failure as whoever asked through VS Code tells failures apart: by the code of a `LanguageModelError`; any other keeps its sentence. */
export function modelError(error: unknown): Error {
	const reason = reasonOf(error) ?? '';
	const { status, code } = details(error);
	const message = messageOf(error);
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

/** What the client's error says, which a connection's problem has as its cause. */
function details(error: unknown): { readonly status?: number; readonly code?: string } {
	const fields = (error instanceof Error && error.name === 'Problem' ? error.cause : error) as
		| { status?: unknown; code?: unknown }
		| undefined;
	return {
		...(typeof fields?.status === 'number' && { status: fields.status }),
		...(typeof fields?.code === 'string' && { code: fields.code }),
	};
}
