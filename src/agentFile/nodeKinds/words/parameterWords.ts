import { under, type Words } from './word.ts';

/** Parameters of models that people set most; each provider has more, and any can stand there. */
export const parameterWords = (): Words =>
	under('completion_params', {
		temperature: { text: 'How much chance there is in the reply: 0 is least.', field: {} },
		top_p: { text: 'Only words that together have this probability come up, 0 to 1.', field: {} },
		top_k: { text: 'Only this many words come up at each place.', field: {}, rare: true },
		max_tokens: { text: 'Most tokens of the reply.', field: {} },
		max_completion_tokens: { text: 'Most tokens of the reply, as newer models of OpenAI call it.', field: {}, rare: true },
		max_output_tokens: { text: 'Most tokens of the reply, as Gemini calls it.', field: {}, rare: true },
		presence_penalty: {
			text: 'Keeps the reply from what was named already. Anthropic’s models have no such parameter: a warning says so.',
			field: {},
			rare: true,
		},
		frequency_penalty: {
			text: 'Keeps the reply from saying things often. Anthropic’s models have no such parameter: a warning says so.',
			field: {},
			rare: true,
		},
		seed: {
			text: 'The same number gives the same reply, as far as the service can. Anthropic’s models have no such parameter: a warning says so.',
			field: {},
			rare: true,
		},
		stop: { text: 'Texts that the reply ends at.', field: {}, rare: true },
		response_format: { text: 'Form of the reply.', field: {}, rare: true, examples: ['text', 'json_object', 'json_schema'] },
		json_schema: { text: 'JSON schema of the reply, for “json_schema”.', field: {}, rare: true },
		reasoning_effort: { text: 'How much the model thinks.', field: {}, rare: true, examples: ['none', 'minimal', 'low', 'medium', 'high'] },
		thinking: { text: 'Whether the model thinks first.', field: {}, rare: true, examples: ['true', 'false'] },
		thinking_budget: { text: 'Most tokens of its thoughts.', field: {}, rare: true },
		include_thoughts: { text: 'Whether the thoughts of a Gemini model are told.', field: {}, rare: true, examples: ['true', 'false'] },
		enable_thinking: {
			text: 'Whether the model thinks first, as Qwen’s models call it.',
			field: {},
			rare: true,
			examples: ['true', 'false'],
		},
	});
