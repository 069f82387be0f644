import type { Chat } from '../transcripts/chat.ts';

/** Checks in the background whether the endpoints of the shown chats accept the attachments, and caches the results. */
export class AttachmentChecks {
	readonly #ask: (chat: Chat) => Promise<string | undefined>;
	readonly #known = new WeakMap<Chat, { readonly question: string; readonly refusal?: string | undefined }>();

	/** `ask` resolves to the reason why the attachments can't be sent, or to undefined. It must not reject. */
	constructor(ask: (chat: Chat) => Promise<string | undefined>) {
		this.#ask = ask;
	}

	/** Returns why the attachments can't be sent, if that is already known. If a check finds a reason later, the chat refreshes. */
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
					chat.refreshViews();
				}
			});
		}
		return undefined;
	}
}
