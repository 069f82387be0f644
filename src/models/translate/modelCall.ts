import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';

/** A caller's request as a call of a language model, with what such a call has no place for. `fitCall` brings both to the upstream's terms. */
export interface ModelCall extends LanguageModelV4CallOptions {
	readonly extras?: CallExtras;
}

/** What a request says beyond a language model's call. Fields are absent where the caller said nothing. */
export interface CallExtras {
	/** The service is to search the web by itself; `field` is where the caller said so, for messages. */
	readonly webSearch?: { readonly field: string };
	/** At most one tool call a reply; `field` is where the caller said so. */
	readonly singleToolCall?: { readonly field: string };
	/** Who the caller's own user is, for the service's protection against abuse. */
	readonly userId?: string;
	/** Sentences on what of the request could not be carried over, each with its field in front. */
	readonly lost?: readonly string[];
}

/** Extras without the empty ones; nothing where none is left. */
export function withExtras(call: LanguageModelV4CallOptions, extras: CallExtras): ModelCall {
	const kept = Object.entries(extras).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0));
	return kept.length > 0 ? { ...call, extras: Object.fromEntries(kept) } : call;
}

/** Sentences for the fields of an object that nothing reads: `known` are read, or cannot matter to another service. */
export function unreadFields(value: unknown, known: ReadonlySet<string>, prefix = ''): string[] {
	if (typeof value !== 'object' || value === null) {
		return [];
	}
	return Object.entries(value)
		.filter(([name, field]) => !known.has(name) && field !== undefined && field !== null)
		.map(([name]) => `${prefix}${name}: not carried over, the service behind this model has no such field`);
}
