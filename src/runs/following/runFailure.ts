import { type LocalizableMessage, translateMessage } from '#base/text/localizableMessage.ts';
import type { Translate } from '#base/text/localization.ts';
import type { RunRecord } from '../runTypes.ts';

const refusals = ['auth', 'not-found', 'invalid-request', 'tls'];

/**
 * Returns the status of a run whose request failed: `failed` if it was refused or never sent, `lost` if the connection broke and the run
 * may have started.
 */
export function getFailureStatus(error: unknown): Extract<RunRecord['status'], 'failed' | 'lost'> {
	const { status, reason, name, code } = error as { readonly [field in 'status' | 'reason' | 'name' | 'code']?: unknown };
	const isRefused = status !== undefined || refusals.includes(String(reason));
	const isUnsent = name !== 'ServiceError' || code === 'ECONNREFUSED';
	return isRefused || isUnsent ? 'failed' : 'lost';
}

/** Returns an error's message without its final period, for use inside a sentence. */
export function getErrorClause(error: unknown): string {
	return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
}

/** Like {@link getErrorClause}, but translated if the error is a ServiceError with a localizable message. */
export function translateErrorClause(error: unknown, t: Translate): string {
	const { name, localizable } = error as { readonly name?: unknown; readonly localizable?: LocalizableMessage };
	return name === 'ServiceError' && localizable ? translateMessage(localizable, t).replace(/\.$/, '') : getErrorClause(error);
}
