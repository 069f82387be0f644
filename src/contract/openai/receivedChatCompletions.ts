/** Chat completions as services with an OpenAI-compatible API send them. Many omit fields or send null, so all fields are optional. */

/** Body of `POST /v1/chat/completions`. Other fields are passed on. */
export interface ChatCompletionsBody {
	readonly model: string;
	readonly messages: readonly ChatCompletionsMessage[];
	readonly [field: string]: unknown;
}

/** Message of a body. */
export interface ChatCompletionsMessage {
	readonly role: 'system' | 'user' | 'assistant' | 'tool';
	readonly content: string | null | readonly object[];
	readonly tool_calls?: readonly object[];
	readonly tool_call_id?: string;
}

/** A tool call or a chunk of one. Some services omit `index`; only the first chunk has `id` and `name`. */
export interface StreamedToolCall {
	readonly index?: number | null;
	readonly id?: string | null;
	readonly function?: { readonly name?: string | null; readonly arguments?: string | null } | null;
	/** Data that Gemini's service needs back with the call. */
	readonly extra_content?: { readonly google?: { readonly thought_signature?: string } } | null;
}

/** Content that a chunk adds to the reply. Reasoning has one of two names. */
export interface ChatCompletionsDelta {
	readonly content?: string | null;
	readonly reasoning_content?: string | null;
	readonly reasoning?: unknown;
	readonly refusal?: string | null;
	readonly tool_calls?: readonly StreamedToolCall[] | null;
}

/** Tokens; cached and reasoning tokens are included in the totals. */
export interface ChatCompletionsUsage {
	readonly prompt_tokens?: number;
	readonly completion_tokens?: number;
	readonly prompt_tokens_details?: { readonly cached_tokens?: number } | null;
	readonly completion_tokens_details?: { readonly reasoning_tokens?: number } | null;
}

/** Chunk of a stream. Some services send the whole message in one chunk. */
export interface ChatCompletionsChunk {
	readonly model?: string;
	readonly choices?:
		| readonly {
				readonly index?: number;
				readonly delta?: ChatCompletionsDelta | null;
				readonly message?: ChatCompletionsDelta | null;
				readonly finish_reason?: string | null;
		  }[]
		| null;
	readonly usage?: ChatCompletionsUsage | null;
	readonly error?: unknown;
}
