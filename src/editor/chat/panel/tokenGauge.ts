import type { TokensOfWindow } from '#pages/chat/panel/panelProtocol.ts';
import type { Transcript } from '#pages/chat/transcript/transcript.ts';
import { getActivePath } from '#pages/chat/transcript/turnTree.ts';
import type { ModelLimits } from '../modelLimits.ts';
import type { Chat } from '../transcripts/chat.ts';

/** Lifetime of a cached list of models, in milliseconds. */
const freshMs = 10 * 60_000;

/** Calculates how much of its model's context window a chat uses, from the last reply's usage and the list of models. */
export class TokenGauge {
	readonly #ask: (chat: Chat) => Promise<ModelLimits | undefined>;
	readonly #now: () => number;
	/** Time in milliseconds. Older replies are ignored, so that opening a window sends no requests. */
	readonly #since: number;
	/** Results by connection and endpoint. */
	readonly #known = new Map<string, { readonly limits?: ModelLimits; readonly at: number }>();

	/** `ask` fetches the limits of the models on a chat's endpoint, or undefined if they can't be read now. It must not reject. */
	constructor(ask: (chat: Chat) => Promise<ModelLimits | undefined>, now: () => number = Date.now) {
		this.#ask = ask;
		this.#now = now;
		this.#since = now();
	}

	/** Returns the known usage. The chat refreshes when more is known. Sends no requests before the first reply with usage. */
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
			void this.#ask(chat).then(limits => {
				if (limits) {
					this.#known.set(question, { limits, at: this.#now() });
					chat.refreshViews();
				} else {
					this.#known.delete(question);
				}
			});
		}
		const window = known?.limits?.get(used.model)?.window;
		return window === undefined ? undefined : { used: used.tokens, window };
	}
}

/** Returns the tokens of the last reply and its request, if the reply is from the model that will get the next message. */
function countUsedTokens(transcript: Transcript, since: number): { readonly tokens: number; readonly model: string } | undefined {
	const { endpoint, models } = transcript;
	const reply = getActivePath(transcript).findLast(turn => turn.reply?.usage && turn.at >= since)?.reply;
	const { input, output = 0, cached = 0 } = reply?.lastUsage ?? reply?.usage ?? {};
	if (endpoint === 'agent' || reply?.endpoint !== endpoint || reply.model !== (models[endpoint] ?? reply.model) || input === undefined) {
		return undefined;
	}
	// the messages protocol counts cached tokens separately
	return { tokens: input + output + (endpoint === 'messages' ? cached : 0), model: reply.model };
}
