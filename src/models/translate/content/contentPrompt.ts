import type { LanguageModelV4Message, LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { mergeTurns } from '../mergeTurns.ts';
import { tellRounded } from '../roundedNumbers.ts';
import { responseOutput, textAndFile } from './contentParts.ts';
import { camelFields, type Fields, listOf } from './protoJson.ts';
import { thoughtsOf } from './thoughtToken.ts';

type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];
type User = Extract<LanguageModelV4Message, { role: 'user' }>['content'];

/** The turns of E as a prompt. Function calls without IDs get some, in order, and responses find theirs by name. Throws a fault (400) that names the part; adds to `lost` what it leaves out. */
export function contentPrompt(contents: readonly unknown[], systemInstruction: unknown, lost: string[]): LanguageModelV4Prompt {
	const instructions = listOf(camelFields(systemInstruction)['parts']).map(part => camelFields(part)['text']);
	const system = instructions.filter(text => typeof text === 'string').join('\n');
	if (instructions.some(text => typeof text !== 'string')) {
		lost.push('system_instruction.parts: only texts are carried over');
	}
	const calls = new OpenCalls();
	const turns = contents.flatMap((content, i) => {
		const { role, parts } = camelFields(content);
		const fields = listOf(parts).map(camelFields);
		if (role === 'model') {
			return [{ role: 'assistant' as const, content: modelParts(fields, `contents[${i}]`, calls, lost) }];
		}
		if (role !== undefined && role !== 'user' && role !== 'function') {
			throw new ServiceFault(400, `Please use a valid role: user, model. contents[${i}].role is ${String(role)}.`);
		}
		return userMessages(fields, `contents[${i}]`, calls, lost);
	});
	return mergeTurns(system === '' ? turns : [{ role: 'system', content: system }, ...turns]);
}

/** Calls of the model that have had no response yet. */
class OpenCalls {
	readonly #open: { id: string; name: string }[] = [];
	#count = 0;

	add(id: unknown, name: string): string {
		this.#count++;
		const given = typeof id === 'string' && id !== '' ? id : `call_${this.#count}`;
		this.#open.push({ id: given, name });
		return given;
	}

	/** ID of the call that a response belongs to; one of its own where none is open. */
	take(id: unknown, name: string): string {
		const at = this.#open.findIndex(call => (typeof id === 'string' && id !== '' ? call.id === id : call.name === name));
		const [call] = at < 0 ? [] : this.#open.splice(at, 1);
		return call?.id ?? this.add(id, name);
	}
}

/** Parts of a turn of the model. A call brings the thoughts that its signature holds, unless the turn has them as they were (see contentReply). */
function modelParts(parts: readonly Fields[], at: string, calls: OpenCalls, lost: string[]): Assistant {
	const known = new Set(parts.filter(({ thought }) => thought === true).map(({ thoughtSignature }) => thoughtSignature));
	return parts.flatMap((part, j): Assistant => {
		const { text, thought, thoughtSignature, functionCall } = part;
		if (thought === true && typeof text === 'string') {
			const signed = typeof thoughtSignature === 'string' && { providerOptions: { anthropic: { signature: thoughtSignature } } };
			return [{ type: 'reasoning', text, ...signed }];
		}
		if (functionCall !== undefined) {
			const { id, name, args } = camelFields(functionCall);
			tellRounded(args, `${at}.parts[${j}].function_call.args`, lost);
			const thoughts = thoughtsOf(thoughtSignature).filter(
				({ anthropic }) => !('signature' in anthropic && known.has(anthropic.signature)),
			);
			return [
				...thoughts.map(({ text, anthropic }) => ({ type: 'reasoning' as const, text, providerOptions: { anthropic } })),
				{ type: 'tool-call', toolCallId: calls.add(id, String(name)), toolName: String(name), input: args ?? {} },
			];
		}
		return textAndFile(part, `${at}.parts[${j}]`, lost);
	});
}

function userMessages(parts: readonly Fields[], at: string, calls: OpenCalls, lost: string[]): LanguageModelV4Message[] {
	const results: LanguageModelV4ToolResultPart[] = [];
	const others: User = [];
	for (const [j, part] of parts.entries()) {
		if (part['functionResponse'] !== undefined) {
			const response = camelFields(part['functionResponse']);
			const toolName = String(response['name']);
			tellRounded(response['response'], `${at}.parts[${j}].function_response.response`, lost);
			const output = responseOutput(response, `${at}.parts[${j}].function_response`);
			results.push({ type: 'tool-result', toolCallId: calls.take(response['id'], toolName), toolName, output });
		} else {
			others.push(...textAndFile(part, `${at}.parts[${j}]`, lost));
		}
	}
	return [
		...(results.length > 0 ? [{ role: 'tool' as const, content: results }] : []),
		...(others.length > 0 || results.length === 0 ? [{ role: 'user' as const, content: others }] : []),
	];
}
