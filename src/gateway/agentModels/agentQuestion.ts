import type { LanguageModelV4FilePart, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { ChatContext } from '#engine/run/engineTypes.ts';

/** A prompt converted to what an agent needs. */
interface AgentQuestion {
	/** The last user message; empty if there is none. */
	readonly query: string;
	/** Files in the last message. */
	readonly files: readonly LanguageModelV4FilePart[];
	/** Previous turns, oldest first. */
	readonly history: ChatContext['history'];
}

/**
 * Extracts the query for an agent from a prompt. Ignores system messages, because agents have their own, and tool calls with their results.
 */
export function toAgentQuestion(prompt: LanguageModelV4Prompt): AgentQuestion {
	const last = prompt.findLastIndex(({ role }) => role === 'user');
	const message = prompt[last];
	const history = prompt.slice(0, Math.max(last, 0)).flatMap((turn): ChatContext['history'] => {
		const text = turn.role === 'user' || turn.role === 'assistant' ? getText(turn) : '';
		return text === '' ? [] : [{ role: turn.role as 'user' | 'assistant', text }];
	});
	return {
		query: message ? getText(message) : '',
		files: message?.role === 'user' ? message.content.filter(part => part.type === 'file') : [],
		history,
	};
}

function getText({ content }: LanguageModelV4Prompt[number]): string {
	return typeof content === 'string' ? content : content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n');
}
