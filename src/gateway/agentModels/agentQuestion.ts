import type { LanguageModelV4FilePart, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { ChatContext } from '#engine/run/engineTypes.ts';

/** What a conversation asks of an agent. */
interface AgentQuestion {
	/** The last words of the user; empty where there are none. */
	readonly query: string;
	/** Files beside them. */
	readonly files: readonly LanguageModelV4FilePart[];
	/** Turns before, oldest first. */
	readonly history: ChatContext['history'];
}

/** What a prompt asks of an agent. System texts are left out, for an agent has its own; calls of tools and their results too. */
export function agentQuestion(prompt: LanguageModelV4Prompt): AgentQuestion {
	const last = prompt.findLastIndex(({ role }) => role === 'user');
	const message = prompt[last];
	const history = prompt.slice(0, Math.max(last, 0)).flatMap((turn): ChatContext['history'] => {
		const text = turn.role === 'user' || turn.role === 'assistant' ? textOf(turn) : '';
		return text === '' ? [] : [{ role: turn.role as 'user' | 'assistant', text }];
	});
	return {
		query: message ? textOf(message) : '',
		files: message?.role === 'user' ? message.content.filter(part => part.type === 'file') : [],
		history,
	};
}

function textOf({ content }: LanguageModelV4Prompt[number]): string {
	return typeof content === 'string' ? content : content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n');
}
