import type { JSONObject, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { toFields } from '#base/records/plainValues.ts';
import type { MessagesRequest } from '#contract/text/messages.ts';
import { getEffort } from '../effort.ts';

type Reasoning = NonNullable<LanguageModelV4CallOptions['reasoning']>;

const efforts: readonly unknown[] = ['low', 'medium', 'high', 'xhigh', 'max'] satisfies Reasoning[];

/**
 * Reads how much to think, which is a token budget for Anthropic and Gemini and an effort for most services. `output_config.effort`
 * overrides the budget, and `disabled` overrides both. Adaptive thinking without an effort lets the model decide, and the reply includes
 * the thinking.
 */
export function readMessagesThinking(request: MessagesRequest): Pick<LanguageModelV4CallOptions, 'reasoning' | 'providerOptions'> {
	const thinking = toFields(request['thinking']);
	const { effort } = toFields(request['output_config']);
	if (thinking['type'] === 'disabled') {
		return { reasoning: 'none' };
	}
	const known = efforts.includes(effort) ? { reasoning: effort as Reasoning } : {};
	if (thinking['type'] !== 'enabled' && thinking['type'] !== 'adaptive') {
		return known;
	}
	const budget = thinking['budget_tokens'];
	const isBudget = typeof budget === 'number';
	const google: JSONObject = {
		thinkingConfig: { includeThoughts: true, ...(isBudget && !('reasoning' in known) && { thinkingBudget: budget }) },
	};
	return { ...(isBudget && { reasoning: getEffort(budget) }), ...known, providerOptions: { google } };
}
