import type { ModelConfig } from '#agentFile/modelConfigSchema.ts';
import type { ChatContext, ModelMessage } from '../run/engineTypes.ts';
import { buildAdvancedPrompt } from './advancedPrompt.ts';
import { buildSimplePrompt } from './simplePrompt.ts';

/** The parts of an app's prompt in one turn. */
export interface PromptParts {
	/** Values by variable. Omitted variables of the form are empty strings. */
	readonly inputs: Readonly<Record<string, unknown>>;
	/** The user's question; empty if the app only takes inputs. */
	readonly query: string;
	/** Text found in the app's datasets; absent if it has none. */
	readonly context: string | undefined;
	/** Earlier turns, oldest first. */
	readonly history: ChatContext['history'];
	/** Returns the most recent turns that fit into the context along with the messages that must be sent. */
	readonly selectHistory: (history: ChatContext['history'], sent: readonly ModelMessage[]) => ChatContext['history'];
}

/** The messages for a model, and the stop sequences of its reply. */
export interface Prompt {
	readonly messages: readonly ModelMessage[];
	readonly stop: readonly string[];
}

/** Builds the prompt of an app as Dify does (DSL additions, "model_config apps"). Messages without text are omitted. */
export function buildPrompt(config: ModelConfig, parts: PromptParts): Prompt {
	const { messages, stop } = config.prompt_type === 'advanced' ? buildAdvancedPrompt(config, parts) : buildSimplePrompt(config, parts);
	return { messages: messages.filter(({ content }) => content !== ''), stop };
}
