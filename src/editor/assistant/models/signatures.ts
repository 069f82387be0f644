import type { ChatPart } from '#pages/chat/transcript/transcript.ts';

type ToolCall = Extract<ChatPart, { kind: 'toolCall' }>;
type Thinking = Extract<ChatPart, { kind: 'thinking' }>;

/** A call as it came, with what its service wants back beside it. */
export interface SignedCall {
	readonly call: ToolCall;
	/** The signed thoughts of its reply, with its first call alone. */
	readonly thinking: readonly Thinking[];
}

/** Most calls that are remembered. */
const mostCalls = 1000;

/**
 * What services sign of a reply with calls, and want back unchanged with the calls' results (wire facts 2.1 and 4.1): VS Code hands back the calls alone. A call
 * that is forgotten, after a reload say, goes back without.
 */
export class Signatures {
	/** By model and call, the oldest first. */
	readonly #calls = new Map<string, SignedCall>();

	keep(model: string, calls: readonly SignedCall[]): void {
		for (const signed of calls.filter(({ call, thinking }) => call.signature !== undefined || thinking.length > 0)) {
			this.#calls.set(JSON.stringify([model, signed.call.id]), signed);
		}
		for (const oldest of [...this.#calls.keys()].slice(0, Math.max(0, this.#calls.size - mostCalls))) {
			this.#calls.delete(oldest);
		}
	}

	/** What was signed of a call that this model made. */
	of(model: string, callId: string): SignedCall | undefined {
		return this.#calls.get(JSON.stringify([model, callId]));
	}
}
