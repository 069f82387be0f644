import type { LanguageModelV4FinishReason, LanguageModelV4Usage, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { createId } from '../newId.ts';
import { getStopSequence, isPromptBlock } from '../providerMetadata.ts';

/** Creates the first fields of a message (C). */
export function createMessageHead(model: string) {
	return { id: createId('msg_'), type: 'message' as const, role: 'assistant' as const, model };
}

/**
 * Returns the stop fields. Sets both `stop_sequence`, as services do, and `stop_sequences`, as the contract does. For a complete reply with
 * a call, the reason is `tool_use` whatever the service sent, because clients don't run the call after `end_turn`.
 */
export function createStopFields(reason: LanguageModelV4FinishReason, metadata: SharedV4ProviderMetadata | undefined, hasCalls: boolean) {
	const sequence = getStopSequence(metadata) ?? null;
	const stopReason = isPromptBlock(metadata)
		? 'refusal'
		: hasCalls && stopReasons[reason.unified] === 'end_turn'
			? 'tool_use'
			: sequence !== null && reason.unified === 'stop'
				? 'stop_sequence'
				: stopReasons[reason.unified];
	return {
		stop_reason: stopReason,
		stop_sequence: sequence,
		stop_sequences: sequence,
		...(stopReason === 'refusal' && { stop_details: { type: 'refusal', category: null, explanation: null } }),
	};
}

const stopReasons: Readonly<Record<LanguageModelV4FinishReason['unified'], string>> = {
	stop: 'end_turn',
	length: 'max_tokens',
	'tool-calls': 'tool_use',
	'content-filter': 'refusal',
	error: 'end_turn',
	interrupted: 'end_turn',
	other: 'end_turn',
};

/** Converts token counts to those of a message (C), where cached tokens are counted separately. */
export function toMessagesUsage(usage: LanguageModelV4Usage | undefined) {
	const { inputTokens, outputTokens } = usage ?? {};
	const cached = (inputTokens?.cacheRead ?? 0) + (inputTokens?.cacheWrite ?? 0);
	return {
		input_tokens: inputTokens?.noCache ?? Math.max((inputTokens?.total ?? 0) - cached, 0),
		output_tokens: outputTokens?.total ?? 0,
		cache_creation_input_tokens: inputTokens?.cacheWrite ?? 0,
		cache_read_input_tokens: inputTokens?.cacheRead ?? 0,
	};
}
