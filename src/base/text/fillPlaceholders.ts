import type { Translate } from './localization.ts';

/** Fills in `{0}` and `{name}` without translating, for programs that run outside VS Code. */
export const fillPlaceholders: Translate = ((
	message: string | { readonly message: string; readonly args?: unknown },
	...given: unknown[]
) => {
	const text = typeof message === 'string' ? message : message.message;
	const args = typeof message === 'string' ? (isRecord(given[0]) ? given[0] : given) : (message.args ?? []);
	return text.replace(/\{(\w+)\}/g, (place, name: string) => String((args as Record<string, unknown>)[name] ?? place));
}) as Translate;

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}
