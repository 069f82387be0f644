import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { getEffort } from '../effort.ts';
import type { Fields } from './protoJson.ts';

type Thinking = Pick<LanguageModelV4CallOptions, 'reasoning' | 'providerOptions'>;

/** Efforts by thinking level of Gemini 3. */
const levels: Readonly<Record<string, NonNullable<LanguageModelV4CallOptions['reasoning']>>> = {
	MINIMAL: 'minimal',
	LOW: 'low',
	MEDIUM: 'medium',
	HIGH: 'high',
};

/** Anthropic's smallest budget. */
const minBudget = 1_024;

/** Reads `thinkingConfig`: a level, or a token budget, where 0 means no thinking and -1 lets the model decide. */
export function readContentThinking({ thinkingBudget, thinkingLevel }: Fields): Thinking {
	const level = levels[String(thinkingLevel).toUpperCase()];
	if (level !== undefined) {
		return { reasoning: level };
	}
	if (typeof thinkingBudget !== 'number' || thinkingBudget < 0) {
		return {};
	}
	return {
		reasoning: getEffort(thinkingBudget),
		...(thinkingBudget > 0 && {
			providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: Math.max(thinkingBudget, minBudget) } } },
		}),
	};
}
