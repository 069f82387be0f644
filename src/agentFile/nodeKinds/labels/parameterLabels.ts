import { type Labels, prefixPaths } from './label.ts';

/** The most common model parameters. Providers have more, and any name is allowed. */
export const describeParameters = (): Labels =>
	prefixPaths('completion_params', {
		temperature: { text: 'Randomness of the reply. 0 is the least random.', field: {} },
		top_p: { text: 'Samples only from the most likely tokens whose probabilities add up to this value, from 0 to 1.', field: {} },
		top_k: { text: 'Samples only from this many of the most likely tokens.', field: {}, rare: true },
		max_tokens: { text: 'Token limit of the reply.', field: {} },
		max_completion_tokens: { text: 'Token limit of the reply, for newer OpenAI models.', field: {}, rare: true },
		max_output_tokens: { text: 'Token limit of the reply, for Gemini models.', field: {}, rare: true },
		presence_penalty: {
			text: 'Reduces repetition of topics. Anthropic models ignore it and report a warning.',
			field: {},
			rare: true,
		},
		frequency_penalty: {
			text: 'Reduces repetition of words. Anthropic models ignore it and report a warning.',
			field: {},
			rare: true,
		},
		seed: {
			text: 'Makes replies reproducible if the service supports it. Anthropic models ignore it and report a warning.',
			field: {},
			rare: true,
		},
		stop: { text: 'Strings that end the reply.', field: {}, rare: true },
		response_format: { text: 'Format of the reply.', field: {}, rare: true, examples: ['text', 'json_object', 'json_schema'] },
		json_schema: { text: "JSON schema of the reply, for 'json_schema'.", field: {}, rare: true },
		reasoning_effort: {
			text: 'How much the model thinks before it replies.',
			field: {},
			rare: true,
			examples: ['none', 'minimal', 'low', 'medium', 'high'],
		},
		thinking: { text: 'Whether the model thinks before it replies.', field: {}, rare: true, examples: ['true', 'false'] },
		thinking_budget: { text: 'Thinking token limit.', field: {}, rare: true },
		include_thoughts: { text: 'Whether a Gemini model returns its thoughts.', field: {}, rare: true, examples: ['true', 'false'] },
		enable_thinking: {
			text: 'Whether the model thinks before it replies, for Qwen models.',
			field: {},
			rare: true,
			examples: ['true', 'false'],
		},
	});
