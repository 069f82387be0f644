import type { ModelPart, ModelRequest, TextModels } from '#engine/run/engineTypes.ts';
import type { ModelCall, ModelReply } from './caseFile.ts';

/** Replies of a fake model, in order per node, and its recorded requests. */
export class FakeModels {
	readonly #replies: Readonly<Record<string, readonly ModelReply[]>>;
	/** Calls so far, in their recorded form. */
	readonly calls: ModelCall[] = [];

	constructor(replies: Readonly<Record<string, readonly ModelReply[]>> = {}) {
		this.#replies = replies;
	}

	/** Creates the model for one node. `withMessages`: record the messages too. */
	createNodeModel(nodeId: string, withMessages: boolean): TextModels {
		return { streamReply: request => this.#streamReply(nodeId, withMessages, request) };
	}

	async *#streamReply(nodeId: string, withMessages: boolean, { messages }: ModelRequest): AsyncGenerator<ModelPart> {
		const replies = this.#replies[nodeId];
		if (!replies) {
			throw new Error('a model was asked that the case does not mock');
		}
		const attempt = this.calls.filter(call => call.node_id === nodeId).length;
		const reply = replies[Math.min(attempt, replies.length - 1)] as ModelReply;
		const sent = messages.map(({ role, content }) => ({ role, content }));
		this.calls.push({ node_id: nodeId, ...(withMessages && { messages: sent }), reply });
		if (typeof reply === 'object' && reply.error !== undefined) {
			throw new Error(reply.error);
		}
		for (const [index, word] of getReplyText(reply).split(' ').entries()) {
			yield { type: 'text', text: index === 0 ? word : ` ${word}` };
		}
		const finishReason = (typeof reply === 'object' && reply.finish_reason) || 'stop';
		yield { type: 'finish', finishReason, usage: { promptTokens: 10, completionTokens: 5 } };
	}
}

/**
 * Returns the reply as text. This engine requests structured values with a schema; the recorder's model got a function instead, whose
 * arguments are the reply.
 */
function getReplyText(reply: ModelReply): string {
	if (typeof reply === 'string') {
		return reply;
	}
	return reply.tool_calls?.[0]?.function.arguments ?? reply.text ?? '';
}
