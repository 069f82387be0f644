import type { LanguageModelV4Message, LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import { isRecord } from '#base/records/plainValues.ts';
import type { ResponseInputItem } from '#contract/openai/responses.ts';
import { parseArguments } from '../../exactJson.ts';
import { createOpenAiPrompt } from '../openai/openAiPrompt.ts';
import { getSignatureOptions, openEnvelope, type SignedThought } from './reasoningEnvelope.ts';
import { createInputFault, readContentParts, readContentText, readToolOutput } from './responseContent.ts';
import { customArgument, type ResponseTools } from './responseTools.ts';

type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];

/**
 * Converts input items to a prompt. System and developer messages are joined to the instructions, because other services accept only one
 * system message. Tool outputs follow the turn of their call, whatever their position. Throws an error (400) that names the item. Adds
 * ignored parts to `lost`.
 */
export function createResponsePrompt(
	instructions: string | undefined,
	items: readonly ResponseInputItem[],
	tools: ResponseTools,
	lost: string[],
): LanguageModelV4Prompt {
	return new PromptMaker(items, tools, lost).makePrompt(instructions);
}

class PromptMaker {
	readonly #items: readonly ResponseInputItem[];
	readonly #tools: ResponseTools;
	readonly #lost: string[];
	readonly #systems: string[] = [];
	/** Messages without tool outputs. */
	readonly #prompt: Exclude<LanguageModelV4Message, { role: 'tool' }>[] = [];
	/** Function names by call ID, and the turns that the calls are in. */
	readonly #called = new Map<string, { readonly toolName: string; readonly turn: Assistant }>();
	/** Tool outputs by the turn of their calls, which they follow. */
	readonly #results = new Map<unknown, LanguageModelV4ToolResultPart[]>();
	/** Signed thinking by the ID of its call. The signature arrives as a separate item. */
	readonly #signed: ReadonlyMap<string, SignedThought>;
	readonly #answered: ReadonlySet<string>;

	constructor(items: readonly ResponseInputItem[], tools: ResponseTools, lost: string[]) {
		this.#items = items;
		this.#tools = tools;
		this.#lost = lost;
		const thoughts = items.flatMap(item => (item.type === 'reasoning' ? [openEnvelope(item.encrypted_content)] : []));
		this.#signed = new Map(thoughts.flatMap(thought => (thought?.call === undefined ? [] : [[thought.call, thought]])));
		this.#answered = new Set(items.flatMap(({ type, call_id }) => (type?.endsWith('_output') && call_id !== undefined ? [call_id] : [])));
	}

	makePrompt(instructions: string | undefined): LanguageModelV4Prompt {
		for (const [i, item] of this.#items.entries()) {
			this.#addItem(item, `input[${i}]`);
		}
		const turns = this.#prompt.flatMap((message): LanguageModelV4Message[] => {
			const content = this.#results.get(message.content);
			return content ? [message, { role: 'tool', content }] : [message];
		});
		return createOpenAiPrompt({ instructions, systems: this.#systems, turns }, 'input', this.#lost);
	}

	#addItem(item: ResponseInputItem, at: string): void {
		if (isMessage(item)) {
			this.#addMessage(item, at);
			return;
		}
		switch (item.type) {
			case 'reasoning':
				this.#addReasoning(item);
				break;
			case 'function_call':
			case 'custom_tool_call':
				this.#addCall(item, at);
				break;
			case 'function_call_output':
			case 'custom_tool_call_output':
				this.#addOutput(item, at);
				break;
			default:
				this.#lost.push(`${at} (${String(item.type).slice(0, 100)}): removed because items of this type aren't supported`);
		}
	}

	#addMessage({ role, content }: ResponseInputItem, at: string): void {
		switch (role) {
			case 'user':
				this.#prompt.push({ role: 'user', content: readContentParts(content, at, this.#lost) });
				break;
			case 'system':
			case 'developer':
				if (this.#prompt.length > 0) {
					this.#lost.push(`${at}: moved in front of the conversation because the model's service accepts one system message`);
				}
				this.#systems.push(readContentText(content, at));
				break;
			case 'assistant': {
				const text = readContentText(content, at);
				const turn = this.#getTurn();
				// separate two messages with an empty line, because texts of a turn are joined
				turn.push({ type: 'text', text: turn.at(-1)?.type === 'text' && text !== '' ? `\n\n${text}` : text });
				break;
			}
			default:
				throw createInputFault(`${at}.role`, `expected user, assistant, system or developer, got ${role?.slice(0, 100) ?? 'none'}`);
		}
	}

	#addReasoning({ encrypted_content: encrypted, summary }: ResponseInputItem): void {
		const thought = openEnvelope(encrypted);
		if (thought?.call !== undefined) {
			return;
		}
		const text = thought?.text ?? (summary ?? []).map(part => part.text ?? '').join('\n\n');
		if (thought || text !== '') {
			this.#getTurn().push({ type: 'reasoning', text, ...(thought && getSignatureOptions(thought)) });
		}
	}

	#addCall(item: ResponseInputItem, at: string): void {
		const { call_id: id, name, namespace } = item;
		if (id === undefined || name === undefined) {
			throw createInputFault(at, `an item of type ${item.type} needs call_id and name`);
		}
		if (item.status === 'incomplete' && !this.#answered.has(id)) {
			// services refuse calls without an output
			this.#lost.push(`${at} (${item.type}): removed because the call was incomplete`);
			return;
		}
		const toolName = this.#tools.getFunctionName(name, namespace);
		const turn = this.#getTurn();
		this.#called.set(id, { toolName, turn });
		const signature = this.#signed.get(id);
		turn.push({
			type: 'tool-call',
			toolCallId: id,
			toolName,
			input: item.type === 'function_call' ? parseToObject(item.arguments ?? '') : { [customArgument]: item.input ?? '' },
			...(signature && getSignatureOptions(signature)),
		});
	}

	#addOutput(item: ResponseInputItem, at: string): void {
		const { call_id: id = '' } = item;
		const called = this.#called.get(id);
		if (!called) {
			throw createInputFault(at, `no tool call found with the call_id "${id.slice(0, 200)}"`);
		}
		const { toolName, turn } = called;
		const results = this.#results.get(turn) ?? [];
		this.#results.set(turn, results);
		results.push({ type: 'tool-result', toolCallId: id, toolName, output: readToolOutput(item.output, at, this.#lost) });
	}

	/** Returns the current model turn, or starts one. */
	#getTurn(): Assistant {
		const last = this.#prompt.at(-1);
		if (last?.role === 'assistant' && !this.#results.has(last.content)) {
			return last.content;
		}
		const content: Assistant = [];
		this.#prompt.push({ role: 'assistant', content });
		return content;
	}
}

function isMessage({ type }: ResponseInputItem): boolean {
	return type === undefined || type === null || type === 'message';
}

/**
 * Parses the arguments of a call. Services only accept objects, and a call with invalid arguments must not make the whole conversation
 * unusable.
 */
function parseToObject(json: string): Record<string, unknown> {
	if (json.trim() === '') {
		return {};
	}
	try {
		const value = parseArguments(json);
		return isRecord(value) ? (value as Record<string, unknown>) : { arguments: value };
	} catch {
		return { arguments: json };
	}
}
