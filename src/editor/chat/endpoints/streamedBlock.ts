import type { ContentBlock } from '#contract/text/messages.ts';

/** Assembles a content block that the chat stores unchanged: a call of a server-side tool, or the text of a compaction. */
export class StreamedBlock {
	#block: ContentBlock;
	#json = '';

	constructor(block: ContentBlock) {
		this.#block = block;
	}

	/** Applies a delta. Ignores deltas of other kinds of blocks. */
	add(delta: { type: string; [field: string]: unknown }): void {
		if (delta.type === 'input_json_delta') {
			this.#json += String(delta['partial_json'] ?? '');
		} else if (delta.type === 'compaction_delta') {
			const { type: _, ...fields } = delta;
			const content = typeof fields['content'] === 'string' ? `${String(this.#block['content'] ?? '')}${fields['content']}` : undefined;
			this.#block = { ...this.#block, ...fields, ...(content !== undefined && { content }) };
		}
	}

	/** Returns the block to send back to the service. Drops an incomplete input. */
	toBlock(): ContentBlock {
		if (this.#json === '') {
			return this.#block;
		}
		try {
			return { ...this.#block, input: JSON.parse(this.#json) as unknown };
		} catch {
			return this.#block;
		}
	}
}
