import type { ChatPart } from '#pages/chat/transcript/transcript.ts';

type ToolCall = Extract<ChatPart, { kind: 'toolCall' }>;
type Thinking = Extract<ChatPart, { kind: 'thinking' }>;

/** A call with the signed data that its service expects back. */
export interface SignedCall {
	readonly call: ToolCall;
	/** Signed thoughts of the reply. Only the reply's first call has them. */
	readonly thinking: readonly Thinking[];
}

/** Maximum number of calls in memory. */
const mostCalls = 1000;

/**
 * Stores the signatures of tool calls, because services expect them back with the results (wire facts 2.1 and 4.1) but VS Code only passes
 * on the calls. They are lost when the window reloads.
 */
export class Signatures {
	/** Calls by model and ID, oldest first. */
	readonly #calls = new Map<string, SignedCall>();

	saveCalls(model: string, calls: readonly SignedCall[]): void {
		for (const signed of calls.filter(({ call, thinking }) => call.signature !== undefined || thinking.length > 0)) {
			this.#calls.set(JSON.stringify([model, signed.call.id]), signed);
		}
		for (const oldest of [...this.#calls.keys()].slice(0, Math.max(0, this.#calls.size - mostCalls))) {
			this.#calls.delete(oldest);
		}
	}

	get(model: string, callId: string): SignedCall | undefined {
		return this.#calls.get(JSON.stringify([model, callId]));
	}
}
