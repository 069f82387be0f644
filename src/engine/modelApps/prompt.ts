import type { ModelConfig } from '#agentFile/modelConfigSchema.ts';
import type { ChatContext, ModelMessage } from '../run/engineTypes.ts';
import { advancedPrompt } from './advancedPrompt.ts';
import { simplePrompt } from './simplePrompt.ts';

/** What the prompt of an app is made of in one turn. */
export interface PromptParts {
	/** By variable; those of the form that were left out are empty texts. */
	readonly inputs: Readonly<Record<string, unknown>>;
	/** What the user asks; empty where the app takes inputs alone. */
	readonly query: string;
	/** What was found in the app's datasets, as text; absent where it has none. */
	readonly context: string | undefined;
	/** Earlier turns, oldest first. */
	readonly history: ChatContext['history'];
	/** The last of them that have room beside what has to be sent. */
	readonly remember: (history: ChatContext['history'], sent: readonly ModelMessage[]) => ChatContext['history'];
}

/** What a model is sent, and texts that its reply ends at. */
export interface Prompt {
	readonly messages: readonly ModelMessage[];
	readonly stop: readonly string[];
}

/** Builds the prompt of an app as Dify does (DSL additions, "model_config apps"). Messages without text are left out. */
export function promptOf(config: ModelConfig, parts: PromptParts): Prompt {
	const { messages, stop } = config.prompt_type === 'advanced' ? advancedPrompt(config, parts) : simplePrompt(config, parts);
	return { messages: messages.filter(({ content }) => content !== ''), stop };
}
