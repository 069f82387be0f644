import { createHash } from 'node:crypto';
import type { Translate } from '#base/text/localization.ts';
import { type AppContent, readApp } from './appContent.ts';

/**
 * Returns the SHA-256 (hex) of an app's content, regardless of key order, comments, quotes and anchors. Excludes layout, dependencies,
 * format version and values of secrets (see `appContent.ts`).
 * @throws {SyncFault} if the text isn't an app
 */
export function hashContent(app: string | AppContent, t?: Translate): string {
	const { nodes, edges, environment, conversation, rest } = typeof app === 'string' ? readApp(app, undefined, t) : app;
	return sha256([rest, ...[nodes, edges, environment, conversation].map(each => Object.fromEntries(each))]);
}

/** Returns the SHA-256 (hex) of an app's layout. */
export function hashLayout({ layout }: AppContent): string {
	return sha256(layout);
}

/** Serializes a plain value with sorted keys and without empty fields, so that equal values give equal strings. */
export function toStableJson(value: unknown): string {
	if (Array.isArray(value)) {
		return `[${value.map(toStableJson).join(',')}]`;
	}
	if (typeof value === 'object' && value !== null) {
		const fields = Object.entries(value)
			.filter(([, each]) => each !== undefined && each !== null)
			.toSorted(([a], [b]) => (a < b ? -1 : 1));
		return `{${fields.map(([key, each]) => `${JSON.stringify(key)}:${toStableJson(each)}`).join(',')}}`;
	}
	if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))) {
		return String(value);
	}
	return value === undefined ? 'null' : JSON.stringify(value);
}

function sha256(value: unknown): string {
	return createHash('sha256').update(toStableJson(value).toWellFormed()).digest('hex');
}
