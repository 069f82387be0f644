import type { LanguageModelV4Content, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { isRecord } from '#base/records/plainValues.ts';

/** Signed or redacted thinking of Anthropic. */
export interface AnthropicThought {
	readonly text: string;
	readonly anthropic: { readonly signature: string } | { readonly redactedData: string };
}

/**
 * Encodes the thinking before a tool call as the call's `thoughtSignature` (E), in base64 like that field. Anthropic refuses a turn that
 * answers a call without the preceding thinking, but Gemini's clients drop thinking and only keep signatures of calls.
 */
export function encodeThoughts(thoughts: readonly AnthropicThought[]): { thoughtSignature?: string } {
	return thoughts.length === 0 ? {} : { thoughtSignature: Buffer.from(JSON.stringify({ anthropic: thoughts })).toString('base64') };
}

/** Decodes a signature made by {@link encodeThoughts}; empty for other signatures. */
export function decodeThoughts(token: unknown): readonly AnthropicThought[] {
	if (typeof token !== 'string') {
		return [];
	}
	try {
		const { anthropic } = JSON.parse(Buffer.from(token, 'base64').toString()) as { anthropic?: unknown };
		return Array.isArray(anthropic) ? anthropic.filter(isSigned) : [];
	} catch {
		return [];
	}
}

/** Returns a part as signed thinking; undefined for other parts and for thinking without a signature. */
export function toSignedThought(part: LanguageModelV4Content): AnthropicThought | undefined {
	return part.type === 'reasoning' ? createSignedThought(part.text, part.providerMetadata) : undefined;
}

/** Returns thinking with the signature in its metadata; undefined if there is no signature. */
export function createSignedThought(text: string, metadata: SharedV4ProviderMetadata | undefined): AnthropicThought | undefined {
	const { signature, redactedData } = metadata?.['anthropic'] ?? {};
	if (typeof signature === 'string') {
		return { text, anthropic: { signature } };
	}
	return typeof redactedData === 'string' ? { text: '', anthropic: { redactedData } } : undefined;
}

function isSigned(value: unknown): value is AnthropicThought {
	return isRecord(value) && typeof value['text'] === 'string' && isRecord(value['anthropic']);
}
