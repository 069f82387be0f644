/** What an event adds to the answer of a chat: a piece of it, or all of it, in place of what came. */
interface AnswerPiece {
	readonly text: string;
	readonly whole: boolean;
}

/**
 * Reads the answer out of a chat's events, in their order. New agents tell it in pieces (`agent_message`), and then once more as a whole, in a closing
 * `message`: elsewhere that is a piece. Text after the closing one is a piece again.
 */
export class AnswerPieces {
	#inPieces = false;

	/** What the event says of the answer; `undefined` where that is nothing. */
	read(event: { readonly event: string }): AnswerPiece | undefined {
		const { answer } = event as { readonly answer?: unknown };
		const text = typeof answer === 'string' ? answer : '';
		switch (event.event) {
			case 'agent_message':
				this.#inPieces ||= text !== '';
				return { text, whole: false };
			case 'message': {
				const closing = this.#inPieces;
				this.#inPieces = false;
				// a closing one without a text takes nothing back
				return closing && text === '' ? undefined : { text, whole: closing };
			}
			case 'message_replace':
				return { text, whole: true };
			default:
				return undefined;
		}
	}
}
