import type { LanguageModelV4Content, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { isRecord } from '#base/records/plainValues.ts';

/** A thought of Anthropic's as it was signed, or one that only Anthropic can read. */
export interface AnthropicThought {
	readonly text: string;
	readonly anthropic: { readonly signature: string } | { readonly redactedData: string };
}

/**
 * The thoughts before a tool call, as the `thoughtSignature` of the call in E: base64, as that field is. Anthropic refuses the turn that answers a call
 * without the thoughts that led to it, and E's clients drop thoughts but keep a call's signature.
 */
export function thoughtToken(thoughts: readonly AnthropicThought[]): { thoughtSignature?: string } {
	return thoughts.length === 0 ? {} : { thoughtSignature: Buffer.from(JSON.stringify({ anthropic: thoughts })).toString('base64') };
}

/** The thoughts of such a token; none for a signature of another make. */
export function thoughtsOf(token: unknown): readonly AnthropicThought[] {
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

/** A part of a reply as a thought; undefined for what is none, or has no signature. */
export function signedThought(part: LanguageModelV4Content): AnthropicThought | undefined {
	return part.type === 'reasoning' ? signedText(part.text, part.providerMetadata) : undefined;
}

/** A thought with the signature in its metadata; undefined where there is none. */
export function signedText(text: string, metadata: SharedV4ProviderMetadata | undefined): AnthropicThought | undefined {
	const { signature, redactedData } = metadata?.['anthropic'] ?? {};
	if (typeof signature === 'string') {
		return { text, anthropic: { signature } };
	}
	return typeof redactedData === 'string' ? { text: '', anthropic: { redactedData } } : undefined;
}

function isSigned(value: unknown): value is AnthropicThought {
	return isRecord(value) && typeof value['text'] === 'string' && isRecord(value['anthropic']);
}
