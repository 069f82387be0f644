import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';

/**
 * Adapts a call to Anthropic's rules for thinking: no tool may be forced, and a turn that answers tool calls must start with the signed
 * thinking from before the calls. Turns thinking off if that thinking is missing, for example after a switch of models.
 */
export function removeUnsignedThinking(call: LanguageModelV4CallOptions, warnings: string[]): LanguageModelV4CallOptions {
	const { anthropic } = call.providerOptions ?? {};
	const type = (anthropic?.['thinking'] as { type?: unknown } | undefined)?.type;
	const thinks = (type !== undefined && type !== 'disabled') || (call.reasoning !== undefined && call.reasoning !== 'none');
	const forced = call.toolChoice?.type === 'required' || call.toolChoice?.type === 'tool';
	if (!thinks || !(forced || isAnsweringUnsignedCall(call.prompt))) {
		// with a budget, an effort would count twice
		const { reasoning: _, ...rest } = call;
		return type === undefined ? call : rest;
	}
	warnings.push(
		forced
			? "thinking: off for this turn because Anthropic doesn't support it with a forced tool call"
			: 'thinking: off for this turn because its tool calls lack the signed thinking that Anthropic requires',
	);
	const { reasoning: __, ...plain } = call;
	return { ...plain, providerOptions: { ...call.providerOptions, anthropic: { ...anthropic, thinking: { type: 'disabled' } } } };
}

function isAnsweringUnsignedCall(prompt: LanguageModelV4Prompt): boolean {
	const last = prompt.at(-1);
	if (last?.role !== 'tool' && prompt.at(-2)?.role !== 'tool') {
		return false;
	}
	const turn = prompt.findLast(({ role }) => role === 'assistant');
	if (turn?.role !== 'assistant') {
		return false;
	}
	const [first] = turn.content;
	const signed =
		first?.type === 'reasoning' &&
		(first.providerOptions?.['anthropic']?.['signature'] ?? first.providerOptions?.['anthropic']?.['redactedData']);
	return !signed && turn.content.some(({ type }) => type === 'tool-call');
}
