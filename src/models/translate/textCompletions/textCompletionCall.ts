import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { TextCompletionRequest } from '#contract/openai/textCompletions.ts';
import { addExtras, listUnreadFields, type ModelCall } from '../modelCall.ts';
import { hasRequestedValue, isMoreThanOne, readOpenAiSettings, refuseUnsupported } from '../openai/openAiSettings.ts';

/** Default token limit, as in OpenAI's service. */
const usualMaxTokens = 16;

/**
 * Converts a completions request to a language model call, with the prompt as a user message. Throws an error (400) with the field for
 * features that chat models don't have.
 */
export function createTextCompletionCall(request: TextCompletionRequest): ModelCall {
	refuseUnsupported({
		suffix: hasRequestedValue(request['suffix']),
		echo: request['echo'] === true,
		n: isMoreThanOne(request['n']),
		best_of: isMoreThanOne(request['best_of']),
		logprobs: typeof request['logprobs'] === 'number',
		logit_bias: hasRequestedValue(request['logit_bias']),
	});
	return addExtras(
		{
			prompt: [{ role: 'user', content: [{ type: 'text', text: readPrompt(request.prompt) }] }],
			maxOutputTokens: request.max_tokens ?? usualMaxTokens,
			...readOpenAiSettings(request),
		},
		{ lost: listUnreadFields(request, readFields) },
	);
}

/** Fields that are converted, refused, or irrelevant to other services. */
const readFields = new Set([
	...['model', 'prompt', 'suffix', 'echo', 'n', 'best_of', 'logprobs', 'logit_bias', 'stream', 'stream_options', 'max_tokens'],
	...['temperature', 'top_p', 'top_k', 'seed', 'presence_penalty', 'frequency_penalty', 'stop', 'user'],
]);

function readPrompt(prompt: TextCompletionRequest['prompt']): string {
	const [only, ...others] = typeof prompt === 'string' ? [prompt] : prompt;
	if (typeof only !== 'string') {
		throw new ServiceFault(400, "Invalid 'prompt': this model can't read tokens, expected a string.", { params: 'prompt' });
	}
	if (others.length > 0) {
		throw new ServiceFault(400, "Invalid 'prompt': expected a single string for this model.", { params: 'prompt' });
	}
	if (only === '') {
		throw new ServiceFault(400, "Invalid 'prompt': expected a string that isn't empty.", { params: 'prompt' });
	}
	return only;
}
