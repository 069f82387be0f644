import type {
	JSONValue,
	LanguageModelV4FilePart,
	LanguageModelV4Message,
	LanguageModelV4Prompt,
	LanguageModelV4ToolResultOutput,
	LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import type { ContentBlock, Message, MessagesRequest } from '../../../protocol/messages.ts';
import { ServiceFault } from '../../server/serviceFault.ts';
import { mergeTurns } from './mergeTurns.ts';

type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];
type User = Extract<LanguageModelV4Message, { role: 'user' }>['content'];

/**
 * The messages of C as a prompt. System texts, wherever they stand, become one message at the front: not every provider takes more, or elsewhere.
 * Tool results get the name of their tool, which C leaves to the ID. Throws a fault (400) that names the block it cannot carry over.
 */
export function messagesPrompt(request: MessagesRequest): LanguageModelV4Prompt {
	const systems = [
		...textsOf(request.system),
		...request.messages.filter(({ role }) => role === 'system').flatMap(({ content }) => textsOf(content)),
	];
	const prompt: LanguageModelV4Prompt = systems.length > 0 ? [{ role: 'system', content: systems.join('\n\n') }] : [];
	const toolNames = new Map<string, string>();
	for (const [i, message] of request.messages.entries()) {
		if (message.role === 'assistant') {
			prompt.push({ role: 'assistant', content: assistantParts(message, i, toolNames) });
		} else if (message.role === 'user') {
			prompt.push(...userMessages(message, i, toolNames));
		}
	}
	return mergeTurns(prompt);
}

function textsOf(content: string | readonly ContentBlock[] | undefined): string[] {
	return typeof content === 'string'
		? [content]
		: (content ?? []).flatMap(block => (typeof block['text'] === 'string' ? [block['text']] : []));
}

function assistantParts(message: Message, at: number, toolNames: Map<string, string>): Assistant {
	if (typeof message.content === 'string') {
		return [{ type: 'text', text: message.content }];
	}
	const parts: Assistant = [];
	/** Gemini signs its tool calls; the signature travels as that of an empty thinking block before the call (see messagesReply). */
	let signature: string | undefined;
	for (const [j, block] of message.content.entries()) {
		switch (block.type) {
			case 'text':
				parts.push({ type: 'text', text: text(block, at, j) });
				break;
			case 'thinking':
				signature = typeof block['signature'] === 'string' && block['signature'] !== '' ? block['signature'] : undefined;
				if (block['thinking']) {
					parts.push({ type: 'reasoning', text: String(block['thinking']), ...signed(signature) });
					signature = undefined;
				}
				break;
			case 'redacted_thinking':
				break;
			case 'tool_use':
				if (typeof block['id'] !== 'string' || typeof block['name'] !== 'string') {
					throw fault(at, j, 'a tool_use block needs id and name');
				}
				toolNames.set(block['id'], block['name']);
				parts.push({
					type: 'tool-call',
					toolCallId: block['id'],
					toolName: block['name'],
					input: block['input'] ?? {},
					...signed(signature),
				});
				signature = undefined;
				break;
			default:
				throw fault(at, j, `blocks of type ${block.type} cannot be carried over to another provider`);
		}
	}
	return parts;
}

function signed(signature: string | undefined): { providerOptions?: Record<string, Record<string, string>> } {
	return signature === undefined ? {} : { providerOptions: { google: { thoughtSignature: signature } } };
}

function userMessages(message: Message, at: number, toolNames: ReadonlyMap<string, string>): LanguageModelV4Message[] {
	if (typeof message.content === 'string') {
		return [{ role: 'user', content: [{ type: 'text', text: message.content }] }];
	}
	const results: LanguageModelV4ToolResultPart[] = [];
	const parts: User = [];
	for (const [j, block] of message.content.entries()) {
		switch (block.type) {
			case 'text':
				parts.push({ type: 'text', text: text(block, at, j) });
				break;
			case 'image':
			case 'document':
				parts.push(filePart(block, at, j));
				break;
			case 'tool_result':
				results.push(toolResult(block, at, j, toolNames));
				break;
			default:
				throw fault(at, j, `blocks of type ${block.type} cannot be carried over to another provider`);
		}
	}
	return [
		...(results.length > 0 ? [{ role: 'tool' as const, content: results }] : []),
		...(parts.length > 0 || results.length === 0 ? [{ role: 'user' as const, content: parts }] : []),
	];
}

function toolResult(block: ContentBlock, at: number, j: number, toolNames: ReadonlyMap<string, string>): LanguageModelV4ToolResultPart {
	const id = String(block['tool_use_id']);
	const toolName = toolNames.get(id);
	if (toolName === undefined) {
		throw fault(
			at,
			j,
			`unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. It has no \`tool_use\` block in an earlier message`,
		);
	}
	return { type: 'tool-result', toolCallId: id, toolName, output: toolOutput(block, at, j) };
}

function toolOutput(block: ContentBlock, at: number, j: number): LanguageModelV4ToolResultOutput {
	const content = block['content'];
	const failed = block['is_error'] === true;
	const blocks = Array.isArray(content) ? (content as ContentBlock[]) : [];
	if (failed || blocks.every(({ type }) => type === 'text')) {
		const value = Array.isArray(content)
			? textsOf(blocks).join('\n')
			: typeof content === 'string'
				? content
				: JSON.stringify((content ?? '') as JSONValue);
		return { type: failed ? 'error-text' : 'text', value };
	}
	return {
		type: 'content',
		value: blocks.map(inner => {
			if (inner.type === 'text') {
				return { type: 'text' as const, text: text(inner, at, j) };
			}
			const { data, mediaType } = filePart(inner, at, j);
			return { type: 'file' as const, data, mediaType };
		}),
	};
}

function filePart(block: ContentBlock, at: number, j: number): LanguageModelV4FilePart {
	const source = block['source'] as Record<string, unknown> | undefined;
	const mediaType =
		typeof source?.['media_type'] === 'string' ? source['media_type'] : block.type === 'image' ? 'image/*' : 'application/pdf';
	const filename = typeof block['title'] === 'string' ? { filename: block['title'] } : {};
	switch (source?.['type']) {
		case 'base64':
			return { type: 'file', mediaType, data: { type: 'data', data: String(source['data']) }, ...filename };
		case 'text':
			return {
				type: 'file',
				mediaType: 'text/plain',
				data: { type: 'data', data: Buffer.from(String(source['data'])).toString('base64') },
				...filename,
			};
		case 'url':
			if (URL.canParse(String(source['url']))) {
				return { type: 'file', mediaType, data: { type: 'url', url: new URL(String(source['url'])) }, ...filename };
			}
			throw fault(at, j, 'source.url is no address');
		default:
			throw fault(at, j, `a source of type ${String(source?.['type'])} cannot be carried over to another provider`);
	}
}

function text(block: ContentBlock, at: number, j: number): string {
	if (typeof block['text'] !== 'string') {
		throw fault(at, j, 'text: Field required');
	}
	return block['text'];
}

function fault(at: number, j: number, problem: string): ServiceFault {
	return new ServiceFault(400, `messages.${at}.content.${j}: ${problem}`);
}
