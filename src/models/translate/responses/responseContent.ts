import type { LanguageModelV4FilePart, LanguageModelV4TextPart, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ResponseInputItem, ResponsePart } from '#contract/openai/responses.ts';

type Part = LanguageModelV4TextPart | LanguageModelV4FilePart;

/**
 * Converts the content of an item to prompt parts. Throws an error (400) that names an unsupported part. Adds ignored details to `lost`.
 * @param at the item's position in the input
 */
export function readContentParts(content: ResponseInputItem['content'], at: string, lost: string[]): Part[] {
	return typeof content === 'string'
		? [{ type: 'text', text: content }]
		: (content ?? []).map((part, i) => readContentPart(part, `${at}.content[${i}]`, lost));
}

/** Returns the text and the refusals in an item's content. Throws an error (400) for other parts. */
export function readContentText(content: ResponseInputItem['content'], at: string): string {
	return readContentParts(content, at, [])
		.map((part, i) => {
			if (part.type !== 'text') {
				throw createInputFault(`${at}.content[${i}]`, 'messages of this role accept only text');
			}
			return part.text;
		})
		.join('');
}

/** Converts a tool's output. Throws an error (400) for an unsupported part. Adds ignored details to `lost`. */
export function readToolOutput(output: ResponseInputItem['output'], at: string, lost: string[]): LanguageModelV4ToolResultOutput {
	if (!Array.isArray(output)) {
		return { type: 'text', value: typeof output === 'string' ? output : JSON.stringify(output ?? '') };
	}
	const parts = output.map((part: ResponsePart, i) => readContentPart(part, `${at}.output[${i}]`, lost));
	const texts = parts.flatMap(part => (part.type === 'text' ? [part.text] : []));
	return texts.length === parts.length ? { type: 'text', value: texts.join('\n') } : { type: 'content', value: parts };
}

/** Creates an error (400) about a position in the input. */
export function createInputFault(at: string, problem: string): ServiceFault {
	return new ServiceFault(400, `Invalid '${at}': ${problem}.`, { params: at });
}

function readContentPart(part: ResponsePart, at: string, lost: string[]): Part {
	switch (part.type) {
		case 'input_text':
		case 'output_text':
		case 'text':
		case 'summary_text':
			return { type: 'text', text: readText(part, 'text', at) };
		case 'refusal':
			return { type: 'text', text: readText(part, 'refusal', at) };
		case 'input_image':
			return readImage(part, at, lost);
		case 'input_file':
			return readFile(part, at);
		default:
			throw createInputFault(at, `parts of type ${part.type.slice(0, 100)} can't be sent to another service`);
	}
}

function readText(part: ResponsePart, field: string, at: string): string {
	const text = part[field];
	if (typeof text !== 'string') {
		throw createInputFault(`${at}.${field}`, 'expected a string');
	}
	return text;
}

function readImage({ image_url: url, file_id: id, detail }: ResponsePart, at: string, lost: string[]): LanguageModelV4FilePart {
	if (detail !== undefined && detail !== null && detail !== 'auto') {
		lost.push(`${at}.detail: ignored because the model's service has no such field`);
	}
	if (typeof url === 'string') {
		return createUrlFile(url, 'image/*', `${at}.image_url`);
	}
	throw typeof id === 'string' ? createStoredFileFault(`${at}.file_id`) : createInputFault(`${at}.image_url`, 'expected a URL');
}

function readFile({ file_data: data, file_url: url, file_id: id, filename }: ResponsePart, at: string): LanguageModelV4FilePart {
	const named = typeof filename === 'string' ? { filename } : {};
	if (typeof data === 'string') {
		// SDKs send a data URL; OpenAI's examples also use plain base64
		return data.startsWith('data:')
			? { ...createUrlFile(data, 'application/pdf', `${at}.file_data`), ...named }
			: { type: 'file', mediaType: 'application/pdf', data: { type: 'data', data }, ...named };
	}
	if (typeof url === 'string') {
		return { ...createUrlFile(url, 'application/pdf', `${at}.file_url`), ...named };
	}
	throw typeof id === 'string' ? createStoredFileFault(`${at}.file_id`) : createInputFault(at, 'expected file_data or file_url');
}

function createUrlFile(address: string, mediaType: string, at: string): LanguageModelV4FilePart {
	const [, type, base64] = /^data:([^;,]+)(?:;[^;,]+)*;base64,(.*)$/s.exec(address) ?? [];
	if (type !== undefined && base64 !== undefined) {
		return { type: 'file', mediaType: type, data: { type: 'data', data: base64 } };
	}
	if (!/^https?:/i.test(address) || !URL.canParse(address)) {
		throw createInputFault(at, 'expected an http URL, or a data URL with a media type and base64 data');
	}
	return { type: 'file', mediaType, data: { type: 'url', url: new URL(address) } };
}

function createStoredFileFault(at: string): ServiceFault {
	return createInputFault(at, "stored files aren't supported. Send the file itself");
}
