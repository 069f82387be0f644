import type { ChannelText } from './channelLines.ts';

/** Lines and streamed texts as one text: a streamed text goes on where its last piece ended, unless something came between: a line, or a text of another name. */
export class JoinedTexts {
	/** Who wrote the text that is still open at the end, and after which lead. */
	#open: { owner: string; kind: string; name: string | undefined } | undefined;

	/** What a run (`owner`, its key) adds. */
	add(owner: string, texts: readonly ChannelText[]): string {
		const parts: string[] = [];
		for (const item of texts) {
			if ('line' in item) {
				parts.push(this.#close(), item.line, '\n');
			} else if (item.text !== '') {
				// thoughts and texts begin with bars of their own
				const kind = item.lead.slice(-4);
				const { name } = item;
				if (this.#open?.owner !== owner || this.#open.kind !== kind || this.#open.name !== name) {
					// separators between the values of an answer are no values: white space alone opens no text
					if (item.text.trim() === '') {
						continue;
					}
					parts.push(this.#close(), item.lead, name === undefined ? '' : `${name}: `);
					this.#open = { owner, kind, name };
				}
				parts.push(item.text.replace(/\r?\n/g, `\n${' '.repeat(item.lead.length - 4)}${kind}`));
			}
		}
		return parts.join('');
	}

	#close(): string {
		const isOpen = this.#open !== undefined;
		this.#open = undefined;
		return isOpen ? '\n' : '';
	}
}
