import type { Chat } from '../transcripts/chat.ts';

/** Knows of chats that are shown whether what is attached can go where they point, and finds it out in the background. */
export class AttachmentChecks {
	readonly #ask: (chat: Chat) => Promise<string | undefined>;
	readonly #known = new WeakMap<Chat, { readonly question: string; readonly refusal?: string | undefined }>();

	/** `ask` says why it cannot, or undefined; it does not reject. */
	constructor(ask: (chat: Chat) => Promise<string | undefined>) {
		this.#ask = ask;
	}

	/** Why it cannot, as far as that is known; the chat changes when more is. */
	refusal(chat: Chat): string | undefined {
		const { attachments, endpoint, connectionId, models, settings } = chat.transcript;
		const ids = attachments.flatMap(({ id, part }) => (part.kind === 'file' ? [] : [id]));
		const question = JSON.stringify([ids, endpoint, connectionId, models[endpoint], settings[endpoint]]);
		const known = this.#known.get(chat);
		if (known?.question === question) {
			return known.refusal;
		}
		this.#known.set(chat, { question });
		if (ids.length > 0) {
			void this.#ask(chat).then(refusal => {
				if (refusal && this.#known.get(chat)?.question === question) {
					this.#known.set(chat, { question, refusal });
					chat.refresh();
				}
			});
		}
		return undefined;
	}
}
