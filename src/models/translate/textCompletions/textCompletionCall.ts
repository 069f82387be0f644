import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { TextCompletionRequest } from '#contract/openai/textCompletions.ts';
import { type ModelCall, unreadFields, withExtras } from '../modelCall.ts';
import { isGiven, isSeveral, openAiSettings, refuseAsked } from '../openai/openAiSettings.ts';

/** Tokens of a completion where the caller names no limit, as at OpenAI's service. */
const usualMaxTokens = 16;

/** A request of completions as a call of a language model: its prompt becomes the words of the user. Throws a fault (400) with the field for what no chat model can do. */
export function textCompletionCall(request: TextCompletionRequest): ModelCall {
	refuseAsked({
		suffix: isGiven(request['suffix']),
		echo: request['echo'] === true,
		n: isSeveral(request['n']),
		best_of: isSeveral(request['best_of']),
		logprobs: typeof request['logprobs'] === 'number',
		logit_bias: isGiven(request['logit_bias']),
	});
	return withExtras(
		{
			prompt: [{ role: 'user', content: [{ type: 'text', text: promptOf(request.prompt) }] }],
			maxOutputTokens: request.max_tokens ?? usualMaxTokens,
			...openAiSettings(request),
		},
		{ lost: unreadFields(request, readFields) },
	);
}

/** Fields that are carried over or refused, and those that change nothing at another service. */
const readFields = new Set([
	...['model', 'prompt', 'suffix', 'echo', 'n', 'best_of', 'logprobs', 'logit_bias', 'stream', 'stream_options', 'max_tokens'],
	...['temperature', 'top_p', 'top_k', 'seed', 'presence_penalty', 'frequency_penalty', 'stop', 'user'],
]);

function promptOf(prompt: TextCompletionRequest['prompt']): string {
	const [only, ...others] = typeof prompt === 'string' ? [prompt] : prompt;
	if (typeof only !== 'string') {
		throw new ServiceFault(400, "Invalid 'prompt': tokens cannot be read by this model, expected a text.", { params: 'prompt' });
	}
	if (others.length > 0) {
		throw new ServiceFault(400, "Invalid 'prompt': expected one text in a request to this model.", { params: 'prompt' });
	}
	if (only === '') {
		throw new ServiceFault(400, "Invalid 'prompt': expected a text that is not empty.", { params: 'prompt' });
	}
	return only;
}
