import { createHash } from 'node:crypto';
import type { Translate } from '#base/text/localization.ts';
import { type AppContent, readApp } from './appContent.ts';

/**
 * SHA-256, in hexadecimal digits, of what an app's file says: the same for the same content in any order of keys, with any comments, quotes and anchors.
 * Layout, dependencies, version of the format and values of secrets do not count (`appContent.ts` says what is what).
 * @throws {SyncFault} for a text that is no app's
 */
export function contentHash(app: string | AppContent, t?: Translate): string {
	const { nodes, edges, environment, conversation, rest } = typeof app === 'string' ? readApp(app, undefined, t) : app;
	return sha256([rest, ...[nodes, edges, environment, conversation].map(each => Object.fromEntries(each))]);
}

/** SHA-256 of an app's layout: the other part of what its file says. */
export function layoutHash({ layout }: AppContent): string {
	return sha256(layout);
}

/** A plain value as one text, keys sorted, fields without a value gone: two values mean the same where it is the same. */
export function stableText(value: unknown): string {
	if (Array.isArray(value)) {
		return `[${value.map(stableText).join(',')}]`;
	}
	if (typeof value === 'object' && value !== null) {
		const fields = Object.entries(value)
			.filter(([, each]) => each !== undefined && each !== null)
			.toSorted(([a], [b]) => (a < b ? -1 : 1));
		return `{${fields.map(([key, each]) => `${JSON.stringify(key)}:${stableText(each)}`).join(',')}}`;
	}
	if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))) {
		return String(value);
	}
	return value === undefined ? 'null' : JSON.stringify(value);
}

function sha256(value: unknown): string {
	return createHash('sha256').update(stableText(value).toWellFormed()).digest('hex');
}
