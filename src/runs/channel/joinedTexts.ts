import type { ChannelText } from './channelLines.ts';

/** Joins lines and streamed texts. A text continues its last chunk unless a line or the text of another value came in between. */
export class JoinedTexts {
	/** Run, bars and value of the last text, if it can still be continued. */
	#open: { owner: string; kind: string; value: string | undefined } | undefined;

	/** Adds texts of a run (`owner`: its key). */
	add(owner: string, texts: readonly ChannelText[]): string {
		const parts: string[] = [];
		for (const item of texts) {
			if ('line' in item) {
				parts.push(this.#closeOpenText(), item.line, '\n');
			} else if (item.text !== '') {
				// thoughts and texts have different bars
				const kind = item.lead.slice(-4);
				const { name, value } = item;
				if (this.#open?.owner !== owner || this.#open.kind !== kind || this.#open.value !== value) {
					// white space alone doesn't start a text, because it may only separate the values of an answer
					if (item.text.trim() === '') {
						continue;
					}
					parts.push(this.#closeOpenText(), item.lead, name === undefined ? '' : `${name}: `);
					this.#open = { owner, kind, value };
				}
				parts.push(item.text.replace(/\r?\n/g, `\n${' '.repeat(item.lead.length - 4)}${kind}`));
			}
		}
		return parts.join('');
	}

	#closeOpenText(): string {
		const isOpen = this.#open !== undefined;
		this.#open = undefined;
		return isOpen ? '\n' : '';
	}
}
