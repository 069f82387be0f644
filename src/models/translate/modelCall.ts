import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';

/** A caller's request as a language model call, with extras that such a call can't express. `fitCall` adapts both to the upstream. */
export interface ModelCall extends LanguageModelV4CallOptions {
	readonly extras?: CallExtras;
}

/** Request settings beyond a language model call. Absent fields weren't set by the caller. */
export interface CallExtras {
	/** Web search by the service; `field` is the caller's field, for messages. */
	readonly webSearch?: { readonly field: string };
	/** At most one tool call per reply; `field` is the caller's field, for messages. */
	readonly singleToolCall?: { readonly field: string };
	/** ID of the caller's user, for the service's abuse protection. */
	readonly userId?: string;
	/** Descriptions of what was ignored or changed, each starting with the field. */
	readonly lost?: readonly string[];
}

/** Adds the extras that aren't empty to a call. */
export function addExtras(call: LanguageModelV4CallOptions, extras: CallExtras): ModelCall {
	const kept = Object.entries(extras).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0));
	return kept.length > 0 ? { ...call, extras: Object.fromEntries(kept) } : call;
}

/** Returns warnings about fields that aren't in `known`. */
export function listUnreadFields(value: unknown, known: ReadonlySet<string>, prefix = ''): string[] {
	if (typeof value !== 'object' || value === null) {
		return [];
	}
	return Object.entries(value)
		.filter(([name, field]) => !known.has(name) && field !== undefined && field !== null)
		.map(([name]) => `${prefix}${name}: ignored because the model's service has no such field`);
}
