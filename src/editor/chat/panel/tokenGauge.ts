import type { MessagesModel } from '#contract/text/models.ts';
import type { TokensOfWindow } from '#pages/chat/panel/panelProtocol.ts';
import type { Transcript } from '#pages/chat/transcript/transcript.ts';
import { getActivePath } from '#pages/chat/transcript/turnTree.ts';
import type { Chat } from '../transcripts/chat.ts';

/** Tokens that models read at most, by their names; of those whose service tells. */
export type ModelWindows = ReadonlyMap<string, number>;

/** What services of the messages protocol call it: Anthropic (wire facts 2.1), vLLM, OpenRouter. */
const windowFields = ['max_input_tokens', 'max_model_len', 'context_length'];
/** A list of models counts for so long, in milliseconds. */
const freshMs = 10 * 60_000;

/** Knows how full the windows of chats' models are: from what their last reply took, and what the list of models tells. What is not told is not known. */
export class TokenGauge {
	readonly #ask: (chat: Chat) => Promise<ModelWindows | undefined>;
	readonly #now: () => number;
	/** Nothing is sent for replies that were there before: a window that opens asks no service. */
	readonly #since: number;
	/** By connection and endpoint. */
	readonly #known = new Map<string, { readonly windows?: ModelWindows; readonly at: number }>();

	/** `ask` gives the windows of what the chat's endpoint lists; undefined where that cannot be known now. It does not reject. */
	constructor(ask: (chat: Chat) => Promise<ModelWindows | undefined>, now: () => number = Date.now) {
		this.#ask = ask;
		this.#now = now;
		this.#since = now();
	}

	/** As far as that is known; the chat changes when more is. Nothing is asked before a reply of this window has told what it took. */
	getUsage(chat: Chat): TokensOfWindow | undefined {
		const { transcript } = chat;
		const used = countUsedTokens(transcript, this.#since);
		if (used === undefined) {
			return undefined;
		}
		const { connectionId, endpoint } = transcript;
		const question = JSON.stringify([connectionId, endpoint]);
		const known = this.#known.get(question);
		if (!known || this.#now() - known.at >= freshMs) {
			this.#known.set(question, { ...known, at: this.#now() });
			void this.#ask(chat).then(windows => {
				if (windows) {
					this.#known.set(question, { windows, at: this.#now() });
					chat.refresh();
				} else {
					this.#known.delete(question);
				}
			});
		}
		const window = known?.windows?.get(used.model);
		return window === undefined ? undefined : { used: used.tokens, window };
	}
}

/** What the last reply took, where it is one of the model that the next one is asked for, picked or the only one: what was said, and what it answered. */
function countUsedTokens(transcript: Transcript, since: number): { readonly tokens: number; readonly model: string } | undefined {
	const { endpoint, models } = transcript;
	const reply = getActivePath(transcript).findLast(turn => turn.reply?.usage && turn.at >= since)?.reply;
	const { input, output = 0, cached = 0 } = reply?.lastUsage ?? reply?.usage ?? {};
	if (endpoint === 'agent' || reply?.endpoint !== endpoint || reply.model !== (models[endpoint] ?? reply.model) || input === undefined) {
		return undefined;
	}
	// the messages protocol counts what was read from a cache beside the rest
	return { tokens: input + output + (endpoint === 'messages' ? cached : 0), model: reply.model };
}

/** Tokens that a model reads at most, as an entry of the list of models has it. */
export function getContextWindow(model: MessagesModel): number | undefined {
	return windowFields.map(field => model[field]).find(isTokenCount);
}

/** Whether this is a number of tokens. */
export function isTokenCount(value: unknown): value is number {
	return typeof value === 'number' && Number.isFinite(value) && value > 0;
}
