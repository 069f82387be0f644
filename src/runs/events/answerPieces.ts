/** Change that an event makes to the answer of a chat: a chunk to append, or the `whole` new answer. */
interface AnswerPiece {
	readonly text: string;
	readonly whole: boolean;
}

/**
 * Reads the answer of a chat from its events, in order. New agents send it in chunks (`agent_message`) and again as a whole in a closing
 * `message`; in other apps, `message` is a chunk. Text after the closing message is a chunk again.
 */
export class AnswerPieces {
	#inPieces = false;

	/** Returns the change to the answer; `undefined` if there is none. */
	readAnswerPiece(event: { readonly event: string }): AnswerPiece | undefined {
		const { answer } = event as { readonly answer?: unknown };
		const text = typeof answer === 'string' ? answer : '';
		switch (event.event) {
			case 'agent_message':
				this.#inPieces ||= text !== '';
				return { text, whole: false };
			case 'message': {
				const closing = this.#inPieces;
				this.#inPieces = false;
				// a closing message without text doesn't clear the answer
				return closing && text === '' ? undefined : { text, whole: closing };
			}
			case 'message_replace':
				return { text, whole: true };
			default:
				return undefined;
		}
	}
}
