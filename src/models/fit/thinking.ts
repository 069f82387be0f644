import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';

/**
 * A call to Anthropic that its API takes: with thinking on, no tool may be forced, and the turn whose tools are being answered has to begin with the
 * thoughts that led to the calls, as they were signed. Where they are missing, as after a switch of models, this turn goes on without thinking.
 */
export function withoutUnsignedThinking(call: LanguageModelV4CallOptions, warnings: string[]): LanguageModelV4CallOptions {
	const { anthropic } = call.providerOptions ?? {};
	const type = (anthropic?.['thinking'] as { type?: unknown } | undefined)?.type;
	const thinks = (type !== undefined && type !== 'disabled') || (call.reasoning !== undefined && call.reasoning !== 'none');
	const forced = call.toolChoice?.type === 'required' || call.toolChoice?.type === 'tool';
	if (!thinks || !(forced || answersUnsignedCall(call.prompt))) {
		// a budget says it all; an effort beside it would count twice
		const { reasoning: _, ...rest } = call;
		return type === undefined ? call : rest;
	}
	warnings.push(
		forced
			? 'thinking: off for this turn, Anthropic does not take it together with a tool that has to be called'
			: 'thinking: off for this turn, its tool calls came without the signed thoughts that Anthropic asks for',
	);
	const { reasoning: __, ...plain } = call;
	return { ...plain, providerOptions: { ...call.providerOptions, anthropic: { ...anthropic, thinking: { type: 'disabled' } } } };
}

function answersUnsignedCall(prompt: LanguageModelV4Prompt): boolean {
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
