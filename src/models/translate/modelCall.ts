import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';

/** A caller's request as a language model call, plus settings that such a call can't express. `fitCall` adapts both to the upstream. */
export interface ModelCall extends LanguageModelV4CallOptions {
	readonly extras?: CallExtras;
}

/** Request settings that a language model call can't express. Absent fields weren't set by the caller. */
export interface CallExtras {
	/** Requests a web search by the service. `field` is the caller's field, for messages. */
	readonly webSearch?: { readonly field: string };
	/** Limits the reply to one tool call. `field` is the caller's field, for messages. */
	readonly singleToolCall?: { readonly field: string };
	/** ID of the caller's user, which helps the service detect abuse. */
	readonly userId?: string;
	/** Descriptions of ignored or changed fields, each starting with the field. */
	readonly lost?: readonly string[];
}

/** Adds extra settings to a call, except empty ones. */
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
