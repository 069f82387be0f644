import type { ContentBlock } from '#contract/text/messages.ts';

/** A block of C that the chat keeps as it is, put together from its stream: the input of a service's own tool, the text of a compaction. */
export class StreamedBlock {
	#block: ContentBlock;
	#json = '';

	constructor(block: ContentBlock) {
		this.#block = block;
	}

	/** Takes a delta in; others than those of such blocks change nothing. */
	add(delta: { type: string; [field: string]: unknown }): void {
		if (delta.type === 'input_json_delta') {
			this.#json += String(delta['partial_json'] ?? '');
		} else if (delta.type === 'compaction_delta') {
			const { type: _, ...fields } = delta;
			const content = typeof fields['content'] === 'string' ? `${String(this.#block['content'] ?? '')}${fields['content']}` : undefined;
			this.#block = { ...this.#block, ...fields, ...(content !== undefined && { content }) };
		}
	}

	/** The block as it goes back to the service; an input that was cut stays as it began. */
	whole(): ContentBlock {
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
