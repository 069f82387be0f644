import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { isRecord } from '#base/records/plainValues.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ChatCompletionMessage, ChatToolCall } from '#contract/openai/chatCompletions.ts';
import { parseArguments } from '../../exactJson.ts';
import { listUnreadFields } from '../modelCall.ts';
import { createOpenAiPrompt } from '../openai/openAiPrompt.ts';
import { readChatTexts, readUserParts } from './chatParts.ts';

type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];

/**
 * Converts chat completions messages to a prompt. System and developer messages are joined in front, because other services accept only one
 * system message. Tool results get the name of their tool, which the protocol only refers to by ID. Throws an error (400) that names the
 * message. Adds ignored parts to `lost`.
 */
export function createChatPrompt(messages: readonly ChatCompletionMessage[], lost: string[]): LanguageModelV4Prompt {
	const systems: string[] = [];
	const turns: LanguageModelV4Prompt = [];
	const toolNames = new Map<string, string>();
	for (const [i, message] of messages.entries()) {
		const at = `messages[${i}]`;
		lost.push(...listUnreadFields(message, message.role === 'tool' ? toolFields : messageFields, `${at}.`));
		switch (message.role) {
			case 'system':
			case 'developer':
				if (turns.length > 0) {
					lost.push(`${at}: moved in front of the conversation because the model's service accepts one system message`);
				}
				systems.push(...readChatTexts(message.content, `${at}.content`));
				break;
			case 'user':
				turns.push({ role: 'user', content: readUserParts(message.content, `${at}.content`, lost) });
				break;
			case 'assistant':
				turns.push({ role: 'assistant', content: readAssistantParts(message, at, toolNames, lost) });
				break;
			case 'tool':
				turns.push(createToolMessage(message, at, toolNames));
		}
	}
	return createOpenAiPrompt({ systems, turns }, 'messages', lost);
}

const messageFields = new Set([
	...['role', 'content', 'tool_calls', 'tool_call_id', 'refusal', 'reasoning_content', 'reasoning', 'reasoning_details'],
	// fields from replies that clients send back
	...['annotations', 'audio', 'function_call', 'provider_specific_fields'],
]);
/** Fields of a tool message. Its `name` isn't needed, because the call ID determines the tool. */
const toolFields = new Set([...messageFields, 'name']);

function readAssistantParts(message: ChatCompletionMessage, at: string, toolNames: Map<string, string>, lost: string[]): Assistant {
	const { reasoning_content, reasoning, content, refusal, tool_calls } = message;
	const thoughts = reasoning_content ?? (typeof reasoning === 'string' ? reasoning : undefined);
	const texts = [...readChatTexts(content, `${at}.content`), ...(refusal ? [refusal] : [])];
	return [
		...(thoughts ? [{ type: 'reasoning' as const, text: thoughts }] : []),
		...texts.map(text => ({ type: 'text' as const, text })),
		...(tool_calls ?? []).map((call, j) => readToolCall(call, `${at}.tool_calls[${j}]`, toolNames, lost)),
	];
}

function readToolCall(call: ChatToolCall, at: string, toolNames: Map<string, string>, lost: string[]): Assistant[number] {
	const name = call.function?.name ?? call.custom?.name;
	if (name === undefined) {
		throw new ServiceFault(400, `Missing required parameter: '${at}.function'.`, { params: `${at}.function` });
	}
	toolNames.set(call.id, name);
	const signature = readThoughtSignature(call);
	return {
		type: 'tool-call',
		toolCallId: call.id,
		toolName: name,
		input: call.custom ? { input: call.custom.input } : readArguments(call.function?.arguments ?? '', `${at}.function.arguments`, lost),
		...(signature !== undefined && { providerOptions: { google: { thoughtSignature: signature } } }),
	};
}

/** Parses the arguments of a call. Accepts incomplete or invalid ones, because they may be part of a conversation that corrects them. */
function readArguments(json: string, at: string, lost: string[]): unknown {
	if (json.trim() === '') {
		return {};
	}
	try {
		const value = parseArguments(json);
		if (isRecord(value)) {
			return value;
		}
	} catch {
		// keep the string
	}
	lost.push(`${at}: not a JSON object, so it's sent as the field "arguments" of an object`);
	return { arguments: json };
}

/** Returns Gemini's signature of a call, from the field that Google's service for OpenAI's protocol uses. */
function readThoughtSignature(call: ChatToolCall): string | undefined {
	const google = (call['extra_content'] as { google?: { thought_signature?: unknown } | null } | null | undefined)?.google;
	return typeof google?.thought_signature === 'string' ? google.thought_signature : undefined;
}

function createToolMessage(
	{ tool_call_id: id, content }: ChatCompletionMessage,
	at: string,
	toolNames: ReadonlyMap<string, string>,
): LanguageModelV4Message {
	const toolName = id ? toolNames.get(id) : undefined;
	if (!id || toolName === undefined) {
		throw new ServiceFault(
			400,
			id
				? `Invalid '${at}.tool_call_id': no message before it has a tool call with the ID "${id.slice(0, 100)}".`
				: `Missing required parameter: '${at}.tool_call_id'.`,
			{ params: `${at}.tool_call_id` },
		);
	}
	const value = readChatTexts(content, `${at}.content`).join('\n');
	return { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName, output: { type: 'text', value } }] };
}
