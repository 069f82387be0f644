import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { CompletionsRequest } from '#contract/text/completions.ts';
import { addExtras, listUnreadFields, type ModelCall } from '../modelCall.ts';

const human = '\n\nHuman:';
const assistant = '\n\nAssistant:';

/** Stop sequence of every completion, in addition to the caller's (wire facts 3). */
export const builtInStop = human;

/**
 * Converts a completions request (D) to a language model call. Turns become messages, text before them the system prompt, and text after
 * the last `Assistant:` the start of the reply. Throws errors (400) with the messages of Anthropic's API.
 */
export function createCompletionsCall(request: CompletionsRequest): ModelCall {
	const { max_tokens_to_sample, max_tokens, stop_sequences = [], temperature, top_k, top_p } = request;
	const { user_id: userId, ...others } = request.metadata ?? {};
	const call = {
		prompt: parsePrompt(request.prompt),
		maxOutputTokens: Math.min(max_tokens_to_sample, max_tokens ?? max_tokens_to_sample),
		stopSequences: [builtInStop, ...stop_sequences.filter(sequence => sequence !== builtInStop)],
		...(temperature !== undefined && { temperature }),
		...(top_k !== undefined && { topK: top_k }),
		...(top_p !== undefined && { topP: top_p }),
	};
	return addExtras(call, {
		...(typeof userId === 'string' && { userId }),
		lost: [...listUnreadFields(request, readFields), ...listUnreadFields(others, new Set(), 'metadata.')],
	});
}

const readFields = new Set([
	'model',
	'prompt',
	'max_tokens_to_sample',
	'max_tokens',
	'metadata',
	'stop_sequences',
	'stream',
	'temperature',
	'top_k',
	'top_p',
]);

function parsePrompt(text: string): LanguageModelV4Prompt {
	const start = text.indexOf(human);
	if (start < 0) {
		throw new ServiceFault(400, 'prompt must start with "\\n\\nHuman:" turn after an optional system prompt');
	}
	if (text.lastIndexOf(assistant) < text.lastIndexOf(human)) {
		throw new ServiceFault(400, 'prompt must end with "\\n\\nAssistant:" turn');
	}
	const system = text.slice(0, start).trim();
	if (system.includes('\n\nAssistant:')) {
		throw new ServiceFault(400, 'prompt must start with "\\n\\nHuman:" turn after an optional system prompt');
	}
	const prompt: LanguageModelV4Prompt = system === '' ? [] : [{ role: 'system', content: system }];
	const pieces = text.slice(start).split(/(\n\n(?:Human|Assistant):)/);
	for (let i = 1; i < pieces.length; i += 2) {
		const said = (pieces[i + 1] ?? '').trim();
		if (said !== '') {
			prompt.push({ role: pieces[i] === human ? 'user' : 'assistant', content: [{ type: 'text', text: said }] });
		}
	}
	return prompt;
}
