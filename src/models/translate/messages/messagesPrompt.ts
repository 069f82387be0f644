import type { LanguageModelV4Message, LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import type { ContentBlock, Message, MessagesRequest } from '#contract/text/messages.ts';
import { mergeTurns } from '../mergeTurns.ts';
import { reportRoundedNumbers } from '../roundedNumbers.ts';
import { readGoogleSignature } from '../signature.ts';
import { createBlockFault, readBlockText, readFileParts } from './messagesBlocks.ts';
import { readToolResult } from './messagesToolResult.ts';
import { formatServerTool } from './serverToolText.ts';

type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];
type User = Extract<LanguageModelV4Message, { role: 'user' }>['content'];

/**
 * Converts the messages of a request (C) to a prompt. System messages stay at their position as user messages in a `<system>` tag: not
 * every provider accepts them there, but moving them to the front would invalidate prompt caches. Tool results get the name of their tool,
 * which the protocol only refers to by ID. Throws an error (400) that names an unsupported block. Adds ignored parts to `lost`.
 */
export function createMessagesPrompt(request: MessagesRequest, lost: string[]): LanguageModelV4Prompt {
	const systems = getTexts(request.system);
	const prompt: LanguageModelV4Prompt = systems.length > 0 ? [{ role: 'system', content: systems.join('\n\n') }] : [];
	const toolNames = new Map<string, string>();
	for (const [i, message] of request.messages.entries()) {
		if (message.role === 'assistant') {
			prompt.push({ role: 'assistant', content: readAssistantParts(message, i, toolNames, lost) });
		} else if (message.role === 'user') {
			prompt.push(...readUserMessages(message, i, toolNames, lost));
		} else {
			const texts = getTexts(message.content);
			if (texts.length > 0) {
				prompt.push({ role: 'user', content: [{ type: 'text', text: `<system>\n${texts.join('\n\n')}\n</system>` }] });
			}
		}
	}
	return mergeTurns(prompt);
}

function getTexts(content: string | readonly ContentBlock[] | undefined): string[] {
	return typeof content === 'string'
		? [content]
		: (content ?? []).flatMap(block => (typeof block['text'] === 'string' ? [block['text']] : []));
}

function readAssistantParts(message: Message, at: number, toolNames: Map<string, string>, lost: string[]): Assistant {
	if (typeof message.content === 'string') {
		return [{ type: 'text', text: message.content }];
	}
	const parts: Assistant = [];
	/** Signature of Gemini's next tool call. It's sent as the signature of an empty thinking block before the call (see messagesReply). */
	let signature: string | undefined;
	for (const [j, block] of message.content.entries()) {
		switch (block.type) {
			case 'text':
				parts.push({ type: 'text', text: readBlockText(block, at, j) });
				break;
			case 'thinking':
				signature = readGoogleSignature(block['signature']);
				if (block['thinking']) {
					parts.push({ type: 'reasoning', text: String(block['thinking']), ...createSignatureOptions(signature) });
					signature = undefined;
				}
				break;
			case 'redacted_thinking':
				break;
			case 'tool_use':
				if (typeof block['id'] !== 'string' || typeof block['name'] !== 'string') {
					throw createBlockFault(at, j, 'a tool_use block needs id and name');
				}
				toolNames.set(block['id'], block['name']);
				reportRoundedNumbers(block['input'], `messages.${at}.content.${j}.input`, lost);
				parts.push({
					type: 'tool-call',
					toolCallId: block['id'],
					toolName: block['name'],
					input: block['input'] ?? {},
					...createSignatureOptions(signature),
				});
				signature = undefined;
				break;
			default: {
				const text = formatServerTool(block);
				if (text === undefined) {
					throw createBlockFault(at, j, `blocks of type ${block.type} can't be sent to another provider`);
				}
				parts.push({ type: 'text', text });
			}
		}
	}
	return parts;
}

function createSignatureOptions(signature: string | undefined): { providerOptions?: Record<string, Record<string, string>> } {
	return signature === undefined ? {} : { providerOptions: { google: { thoughtSignature: signature } } };
}

function readUserMessages(message: Message, at: number, toolNames: ReadonlyMap<string, string>, lost: string[]): LanguageModelV4Message[] {
	if (typeof message.content === 'string') {
		return [{ role: 'user', content: [{ type: 'text', text: message.content }] }];
	}
	const results: LanguageModelV4ToolResultPart[] = [];
	const parts: User = [];
	for (const [j, block] of message.content.entries()) {
		switch (block.type) {
			case 'text':
				parts.push({ type: 'text', text: readBlockText(block, at, j) });
				break;
			case 'image':
			case 'document':
				parts.push(...readFileParts(block, at, j, lost));
				break;
			case 'tool_result':
				results.push(readToolResult(block, at, j, toolNames, lost));
				break;
			default:
				throw createBlockFault(at, j, `blocks of type ${block.type} can't be sent to another provider`);
		}
	}
	return [
		...(results.length > 0 ? [{ role: 'tool' as const, content: results }] : []),
		...(parts.length > 0 || results.length === 0 ? [{ role: 'user' as const, content: parts }] : []),
	];
}
