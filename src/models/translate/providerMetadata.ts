import type { SharedV4ProviderMetadata } from '@ai-sdk/provider';

/** Returns the sequence that stopped the reply, from the providers that report it: Anthropic and the offline model. */
export function getStopSequence(metadata: SharedV4ProviderMetadata | undefined): string | undefined {
	const sequence = (metadata?.['anthropic'] ?? metadata?.['offline'])?.['stopSequence'];
	return typeof sequence === 'string' ? sequence : undefined;
}

/** True if the whole prompt was blocked. Gemini then sends no candidate, only the reason (wire facts 4.1). */
export function isPromptBlock(metadata: SharedV4ProviderMetadata | undefined): boolean {
	const feedback = metadata?.['google']?.['promptFeedback'];
	const blocked = typeof feedback === 'object' && feedback !== null && 'blockReason' in feedback && feedback['blockReason'];
	return Boolean(blocked) || metadata?.['offline']?.['promptBlocked'] === true;
}

/** Returns Gemini's signature of thinking or a call, which must come back unchanged in the next turn. */
export function getSignature(metadata: SharedV4ProviderMetadata | undefined): string | undefined {
	const signature = (metadata?.['google'] ?? metadata?.['openaiCompatible'])?.['thoughtSignature'];
	return typeof signature === 'string' ? signature : undefined;
}
