import type { LanguageModelV4Message, LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { mergeTurns } from '../mergeTurns.ts';
import { reportRoundedNumbers } from '../roundedNumbers.ts';
import { readResponseOutput, readTextAndFile } from './contentParts.ts';
import { type Fields, toCamelCaseFields, toList } from './protoJson.ts';
import { decodeThoughts } from './thoughtToken.ts';

type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];
type User = Extract<LanguageModelV4Message, { role: 'user' }>['content'];

/**
 * Converts the turns of a content request (E) to a prompt. Function calls without IDs get consecutive ones, and responses are matched by
 * name. Throws an error (400) that names the part. Adds ignored parts to `lost`.
 */
export function createContentPrompt(contents: readonly unknown[], systemInstruction: unknown, lost: string[]): LanguageModelV4Prompt {
	const instructions = toList(toCamelCaseFields(systemInstruction)['parts']).map(part => toCamelCaseFields(part)['text']);
	const system = instructions.filter(text => typeof text === 'string').join('\n');
	if (instructions.some(text => typeof text !== 'string')) {
		lost.push('system_instruction.parts: ignored all parts except text');
	}
	const calls = new OpenCalls();
	const turns = contents.flatMap((content, i) => {
		const { role, parts } = toCamelCaseFields(content);
		const fields = toList(parts).map(toCamelCaseFields);
		if (role === 'model') {
			return [{ role: 'assistant' as const, content: readModelParts(fields, `contents[${i}]`, calls, lost) }];
		}
		if (role !== undefined && role !== 'user' && role !== 'function') {
			throw new ServiceFault(400, `Please use a valid role: user, model. contents[${i}].role is ${String(role)}.`);
		}
		return readUserMessages(fields, `contents[${i}]`, calls, lost);
	});
	return mergeTurns(system === '' ? turns : [{ role: 'system', content: system }, ...turns]);
}

interface OpenCall {
	readonly id: string;
	isAnswered: boolean;
}

/** Function calls that have no response yet, found in constant time, because a request can have very many. */
class OpenCalls {
	readonly #byId = new Map<string, CallQueue>();
	readonly #byName = new Map<string, CallQueue>();
	#count = 0;

	add(id: unknown, name: string): string {
		this.#count++;
		const given = typeof id === 'string' && id !== '' ? id : `call_${this.#count}`;
		const call = { id: given, isAnswered: false };
		for (const [queues, key] of [
			[this.#byId, given],
			[this.#byName, name],
		] as const) {
			const queue = queues.get(key) ?? new CallQueue();
			queues.set(key, queue);
			queue.calls.push(call);
		}
		return given;
	}

	/** Returns the ID of the call that a response belongs to, or a new one if no call is open. */
	takeCallId(id: unknown, name: string): string {
		const queue = typeof id === 'string' && id !== '' ? this.#byId.get(id) : this.#byName.get(name);
		return queue?.takeNext()?.id ?? this.add(id, name);
	}
}

/** Calls in order. Those that were answered through another queue are skipped. */
class CallQueue {
	readonly calls: OpenCall[] = [];
	#next = 0;

	takeNext(): OpenCall | undefined {
		while (this.calls[this.#next]?.isAnswered) {
			this.#next++;
		}
		const call = this.calls[this.#next];
		if (call) {
			call.isAnswered = true;
		}
		return call;
	}
}

/**
 * Converts the parts of a model turn. The signature of a call contains the thinking before it, which is restored unless the turn still has
 * it (see contentReply).
 */
function readModelParts(parts: readonly Fields[], at: string, calls: OpenCalls, lost: string[]): Assistant {
	const known = new Set(parts.filter(({ thought }) => thought === true).map(({ thoughtSignature }) => thoughtSignature));
	return parts.flatMap((part, j): Assistant => {
		const { text, thought, thoughtSignature, functionCall } = part;
		if (thought === true && typeof text === 'string') {
			const signed = typeof thoughtSignature === 'string' && { providerOptions: { anthropic: { signature: thoughtSignature } } };
			return [{ type: 'reasoning', text, ...signed }];
		}
		if (functionCall !== undefined) {
			const { id, name, args } = toCamelCaseFields(functionCall);
			reportRoundedNumbers(args, `${at}.parts[${j}].function_call.args`, lost);
			const thoughts = decodeThoughts(thoughtSignature).filter(
				({ anthropic }) => !('signature' in anthropic && known.has(anthropic.signature)),
			);
			return [
				...thoughts.map(({ text, anthropic }) => ({ type: 'reasoning' as const, text, providerOptions: { anthropic } })),
				{ type: 'tool-call', toolCallId: calls.add(id, String(name)), toolName: String(name), input: args ?? {} },
			];
		}
		return readTextAndFile(part, `${at}.parts[${j}]`, lost);
	});
}

function readUserMessages(parts: readonly Fields[], at: string, calls: OpenCalls, lost: string[]): LanguageModelV4Message[] {
	const results: LanguageModelV4ToolResultPart[] = [];
	const others: User = [];
	for (const [j, part] of parts.entries()) {
		if (part['functionResponse'] !== undefined) {
			const response = toCamelCaseFields(part['functionResponse']);
			const toolName = String(response['name']);
			reportRoundedNumbers(response['response'], `${at}.parts[${j}].function_response.response`, lost);
			const output = readResponseOutput(response, `${at}.parts[${j}].function_response`);
			results.push({ type: 'tool-result', toolCallId: calls.takeCallId(response['id'], toolName), toolName, output });
		} else {
			others.push(...readTextAndFile(part, `${at}.parts[${j}]`, lost));
		}
	}
	return [
		...(results.length > 0 ? [{ role: 'tool' as const, content: results }] : []),
		...(others.length > 0 || results.length === 0 ? [{ role: 'user' as const, content: others }] : []),
	];
}
