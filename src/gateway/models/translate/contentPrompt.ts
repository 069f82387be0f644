import type {
	JSONValue,
	LanguageModelV4FilePart,
	LanguageModelV4Message,
	LanguageModelV4Prompt,
	LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import { ServiceFault } from '../../server/serviceFault.ts';
import { mergeTurns } from './mergeTurns.ts';
import { camelFields, type Fields, listOf } from './protoJson.ts';

type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];
type User = Extract<LanguageModelV4Message, { role: 'user' }>['content'];

/** The turns of E as a prompt. Function calls without IDs get some, in order, and responses find theirs by name. Throws a fault (400) that names the part. */
export function contentPrompt(contents: readonly unknown[], systemInstruction: unknown): LanguageModelV4Prompt {
	const system = listOf(camelFields(systemInstruction)['parts'])
		.map(part => camelFields(part)['text'])
		.filter(text => typeof text === 'string')
		.join('\n');
	const calls = new OpenCalls();
	const turns = contents.flatMap((content, i) => {
		const { role, parts } = camelFields(content);
		const fields = listOf(parts).map(camelFields);
		if (role === 'model') {
			return [{ role: 'assistant' as const, content: fields.map((part, j) => modelPart(part, `contents[${i}].parts[${j}]`, calls)) }];
		}
		if (role !== undefined && role !== 'user' && role !== 'function') {
			throw new ServiceFault(400, `Please use a valid role: user, model. contents[${i}].role is ${String(role)}.`);
		}
		return userMessages(fields, `contents[${i}]`, calls);
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

function modelPart(part: Fields, at: string, calls: OpenCalls): Assistant[number] {
	const { text, thought, thoughtSignature, functionCall } = part;
	if (typeof text === 'string') {
		// a thought's signature is Anthropic's, had from this gateway before (see contentReply)
		return thought === true
			? {
					type: 'reasoning',
					text,
					...(typeof thoughtSignature === 'string' && { providerOptions: { anthropic: { signature: thoughtSignature } } }),
				}
			: { type: 'text', text };
	}
	if (functionCall !== undefined) {
		const { id, name, args } = camelFields(functionCall);
		return { type: 'tool-call', toolCallId: calls.add(id, String(name)), toolName: String(name), input: args ?? {} };
	}
	return filePart(part, at);
}

function userMessages(parts: readonly Fields[], at: string, calls: OpenCalls): LanguageModelV4Message[] {
	const results: LanguageModelV4ToolResultPart[] = [];
	const others: User = [];
	for (const [j, part] of parts.entries()) {
		if (part['functionResponse'] !== undefined) {
			const { id, name, response } = camelFields(part['functionResponse']);
			const output = { type: 'json' as const, value: (response ?? {}) as JSONValue };
			results.push({ type: 'tool-result', toolCallId: calls.take(id, String(name)), toolName: String(name), output });
		} else {
			others.push(typeof part['text'] === 'string' ? { type: 'text', text: part['text'] } : filePart(part, `${at}.parts[${j}]`));
		}
	}
	return [
		...(results.length > 0 ? [{ role: 'tool' as const, content: results }] : []),
		...(others.length > 0 || results.length === 0 ? [{ role: 'user' as const, content: others }] : []),
	];
}

function filePart(part: Fields, at: string): LanguageModelV4FilePart {
	if (part['inlineData'] !== undefined) {
		const { mimeType, data } = camelFields(part['inlineData']);
		return { type: 'file', mediaType: String(mimeType), data: { type: 'data', data: String(data) } };
	}
	if (part['fileData'] !== undefined) {
		const { mimeType, fileUri } = camelFields(part['fileData']);
		if (!URL.canParse(String(fileUri))) {
			throw new ServiceFault(400, `${at}.file_data.file_uri is no address.`);
		}
		return { type: 'file', mediaType: String(mimeType ?? 'image/*'), data: { type: 'url', url: new URL(String(fileUri)) } };
	}
	const name = Object.keys(part).find(key => key !== 'thoughtSignature');
	throw new ServiceFault(
		400,
		name === undefined
			? `${at}: contents.parts must not be empty.`
			: `${at}.${name}: this part cannot be carried over to another provider.`,
	);
}
