import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { ContentBlock, Message, MessagesRequest } from '#contract/text/messages.ts';
import type { ChatPart, EndpointSettings, Turn } from '#pages/chat/transcript/transcript.ts';
import { type EndpointRequest, quoteDocument, quoteFile } from './endpoint.ts';

/** Value of `max_tokens` if the model's limit is unknown, because Anthropic's API requires the field (wire facts 2.0). */
const unknownLimit = 4096;

/** Creates the body of a request (contract C). `setsLimit`: the service sets a token limit if the request has none. */
export function createMessagesBody(request: EndpointRequest, setsLimit = false): MessagesRequest {
	const limit = request.outputLimit ?? (setsLimit ? undefined : unknownLimit + getThinkingBudget(request.settings));
	return {
		...(limit !== undefined && { max_tokens: limit }),
		...request.settings,
		model: request.model,
		messages: toMessages(request.turns),
		...(request.system.trim() && { system: request.system }),
		stream: true,
	};
}

/** Returns the tokens that the model may think, which are part of the reply's limit. */
function getThinkingBudget({ thinking }: EndpointSettings): number {
	const budget = isRecord(thinking) ? thinking['budget_tokens'] : undefined;
	return typeof budget === 'number' ? budget : 0;
}

/**
 * Converts turns to messages. Skips empty turns and joins consecutive turns of the same role, because services require alternating roles.
 */
function toMessages(turns: readonly Turn[]): Message[] {
	const messages: { role: Turn['role']; content: ContentBlock[] }[] = [];
	let unanswered: ContentBlock[] = [];
	for (const turn of turns) {
		const own = turn.parts.flatMap(part => toBlocks(part, turn.role));
		const answered = new Set(own.flatMap(block => (block.type === 'tool_result' ? [block['tool_use_id']] : [])));
		const content = turn.role === 'user' ? [...unanswered.filter(block => !answered.has(block['tool_use_id'])), ...own] : own;
		unanswered = turn.role === 'user' ? [] : own.flatMap(createMissingToolResult);
		const last = messages.at(-1);
		if (content.length > 0 && last?.role === turn.role) {
			last.content.push(...content);
		} else if (content.length > 0) {
			messages.push({ role: turn.role, content });
		}
	}
	const last = messages.at(-1);
	const begun = last?.role === 'assistant' ? last.content.at(-1) : undefined;
	if (begun?.type === 'text') {
		// the service refuses a partial reply that ends with whitespace
		begun['text'] = String(begun['text']).trimEnd();
	}
	return messages.map(({ role, content }) => ({ role, content: findOnlyText(content) ?? content }));
}

/** Returns the text if it's the only content, because the contract allows a plain string in that case. */
function findOnlyText(content: ContentBlock[]): string | undefined {
	const [block] = content;
	return content.length === 1 && block?.type === 'text' && typeof block['text'] === 'string' && !block['citations']
		? block['text']
		: undefined;
}

/** Creates a result for a call without one, because services refuse conversations with missing results. */
function createMissingToolResult(block: ContentBlock): ContentBlock[] {
	return block.type === 'tool_use'
		? [{ type: 'tool_result', tool_use_id: block['id'], content: 'This tool was not run.', is_error: true }]
		: [];
}

function toBlocks(part: ChatPart, role: Turn['role']): ContentBlock[] {
	switch (part.kind) {
		case 'text':
			return part.text.trim() ? [{ type: 'text', text: part.text }] : [];
		case 'file':
			return [{ type: 'text', text: quoteFile(part) }];
		case 'document':
			return [
				part.text
					? { type: 'text', text: quoteDocument(part) }
					: { type: 'document', source: { type: 'base64', media_type: part.mimeType, data: part.data }, title: part.name },
			];
		case 'image':
			return role === 'user' ? [{ type: 'image', source: { type: 'base64', media_type: part.mimeType, data: part.data } }] : [];
		case 'thinking':
			if (part.redacted) {
				return [{ type: 'redacted_thinking', data: part.redacted }];
			}
			// services refuse thinking without its signature
			return part.signature ? [{ type: 'thinking', thinking: part.text, signature: part.signature }] : [];
		case 'toolCall':
			return [{ type: 'tool_use', id: part.id, name: part.name, input: parseInput(part.input) }];
		case 'toolResult':
			return [{ type: 'tool_result', tool_use_id: part.id, content: part.output, ...(part.isError && { is_error: true }) }];
		case 'other':
			return part.endpoint === 'messages' ? [part.value as ContentBlock] : [];
		default:
			return [];
	}
}

function parseInput(text: string): unknown {
	// a call that was cut in the middle of its input isn't valid JSON
	return tryParseJson(text || '{}') ?? {};
}
