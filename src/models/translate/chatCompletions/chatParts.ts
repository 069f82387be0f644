import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ChatCompletionMessage, ChatContentPart } from '#contract/openai/chatCompletions.ts';

type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart;

/** Converts the content of a user message. Throws an error (400) that names an unsupported part. Adds ignored details to `lost`. */
export function readUserParts(content: ChatCompletionMessage['content'], at: string, lost: string[]): UserPart[] {
	if (!Array.isArray(content)) {
		return [{ type: 'text', text: content ?? '' }];
	}
	return content.map((part, j): UserPart => {
		const place = `${at}[${j}]`;
		switch (part.type) {
			case 'text':
				return { type: 'text', text: readText(part, place) };
			case 'image_url':
				return readImage(part['image_url'], `${place}.image_url`, lost);
			case 'file':
				return readFile(part['file'], `${place}.file`);
			default:
				throw createPartFault(place, `content of the type "${part.type.slice(0, 100)}" is not supported with this model`);
		}
	});
}

/** Returns the texts and refusals of a message. Throws an error (400) that names any other part. */
export function readChatTexts(content: ChatCompletionMessage['content'], at: string): string[] {
	if (!Array.isArray(content)) {
		return content ? [content] : [];
	}
	return content.map((part, j) => {
		if (part.type !== 'text' && part.type !== 'refusal') {
			throw createPartFault(
				`${at}[${j}]`,
				`content of the type "${part.type.slice(0, 100)}" is not supported in this message: expected text`,
			);
		}
		return readText(part, `${at}[${j}]`);
	});
}

function readText(part: ChatContentPart, at: string): string {
	const text = part['text'] ?? part['refusal'];
	if (typeof text !== 'string') {
		throw createPartFault(`${at}.text`, 'expected a string');
	}
	return text;
}

/** Converts an image, given as an object with the URL or, as some servers accept, the bare URL. */
function readImage(image: unknown, at: string, lost: string[]): LanguageModelV4FilePart {
	const { url, detail } = typeof image === 'string' ? { url: image, detail: undefined } : ((image ?? {}) as Record<string, unknown>);
	if (typeof url !== 'string' || !URL.canParse(url)) {
		throw createPartFault(`${at}.url`, 'expected an http, https or data URL');
	}
	if (detail !== undefined && detail !== null && detail !== 'auto') {
		lost.push(`${at}.detail: ignored because the model's service has no such field`);
	}
	return url.startsWith('data:')
		? parseDataUrl(url, `${at}.url`)
		: { type: 'file', mediaType: 'image/*', data: { type: 'url', url: new URL(url) } };
}

function readFile(file: unknown, at: string): LanguageModelV4FilePart {
	const { file_data: data, file_id: id, filename } = (file ?? {}) as Record<string, unknown>;
	if (typeof data !== 'string') {
		throw createPartFault(
			id === undefined ? `${at}.file_data` : `${at}.file_id`,
			id === undefined ? 'expected the file as a data URL' : "stored files aren't supported. Send the file as file_data",
		);
	}
	const named = typeof filename === 'string' ? { filename } : {};
	if (data.startsWith('data:')) {
		return { ...parseDataUrl(data, `${at}.file_data`), ...named };
	}
	// OpenAI accepts bare base64 for PDF documents
	return { type: 'file', mediaType: 'application/pdf', data: { type: 'data', data }, ...named };
}

function parseDataUrl(url: string, at: string): LanguageModelV4FilePart {
	const head = /^data:([^;,]+)(?:;[^;,]+)*;base64,/.exec(url);
	if (!head?.[1]) {
		throw createPartFault(at, 'expected a data URL with a media type and base64 data');
	}
	return { type: 'file', mediaType: head[1], data: { type: 'data', data: url.slice(head[0].length) } };
}

function createPartFault(param: string, problem: string): ServiceFault {
	return new ServiceFault(400, `Invalid '${param}': ${problem}.`, { params: param });
}
