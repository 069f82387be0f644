import type { Chat } from '../transcripts/chat.ts';

/** Finds out in the background whether the shown chats' endpoints accept their attachments, and caches the results. */
export class AttachmentChecks {
	readonly #ask: (chat: Chat) => Promise<string | undefined>;
	readonly #known = new WeakMap<Chat, { readonly question: string; readonly refusal?: string | undefined }>();

	/** `ask` returns why the attachments can't be sent, or undefined; it must not reject. */
	constructor(ask: (chat: Chat) => Promise<string | undefined>) {
		this.#ask = ask;
	}

	/** Returns the known reason why the attachments can't be sent. The chat refreshes when a new reason is found. */
	getRefusal(chat: Chat): string | undefined {
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
