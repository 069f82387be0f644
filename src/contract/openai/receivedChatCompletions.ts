/**
 * Chat completions as services send them that speak OpenAI's protocol (spec "OpenAI surface", 2 and 11): many leave fields out or send
 * null, so that all are optional here.
 */

/** Body of `POST /v1/chat/completions`. Fields beyond these go along as they are. */
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

/** A call, whole or a piece of one. `index` is missing from some services, `id` and `name` from all pieces but the first. */
export interface StreamedToolCall {
	readonly index?: number | null;
	readonly id?: string | null;
	readonly function?: { readonly name?: string | null; readonly arguments?: string | null } | null;
	/** What Gemini's service wants back with the call. */
	readonly extra_content?: { readonly google?: { readonly thought_signature?: string } } | null;
}

/** What a chunk adds to the reply. Thoughts have one of two names. */
export interface ChatCompletionsDelta {
	readonly content?: string | null;
	readonly reasoning_content?: string | null;
	readonly reasoning?: unknown;
	readonly refusal?: string | null;
	readonly tool_calls?: readonly StreamedToolCall[] | null;
}

/** Tokens; those of a cache and of reasoning are part of their sums. */
export interface ChatCompletionsUsage {
	readonly prompt_tokens?: number;
	readonly completion_tokens?: number;
	readonly prompt_tokens_details?: { readonly cached_tokens?: number } | null;
	readonly completion_tokens_details?: { readonly reasoning_tokens?: number } | null;
}

/** Chunk of a stream. Some services send the whole message in one. */
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
