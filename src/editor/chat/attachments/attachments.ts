import { randomUUID } from 'node:crypto';
import { Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { MessageAttachment } from '#pages/chat/transcript/transcript.ts';
import { type DocumentTexts, documentTypeOf } from './documentTexts.ts';

/** Most bytes of one image: Anthropic's limit, the lowest of the services; and of one document, which is kept with the chat as images are. */
export const imageByteLimit = 5 * 1024 * 1024;
/** Most bytes of one text file, and characters of a document's text: about 250,000 tokens, more than most models take. */
export const textByteLimit = 1024 * 1024;

/** Makes an attachment of a file: of a document with its text. Rejects with a {@link Problem} `attachment` as {@link attachmentOf} throws it. */
export async function attachmentOfFile(
	words: Localization,
	documents: DocumentTexts,
	name: string,
	bytes: Uint8Array,
	uri?: string,
): Promise<MessageAttachment> {
	const mimeType = imageTypeOf(bytes) ? undefined : documentTypeOf(name, bytes);
	if (!mimeType) {
		return attachmentOf(words, name, bytes, uri);
	}
	checkSize(words, name, bytes.length, imageByteLimit);
	const read = await documents.read(name, mimeType, bytes);
	const data = Buffer.from(bytes).toString('base64');
	return { id: randomUUID(), part: { kind: 'document', name, mimeType, data, ...read, ...(uri && { uri }) } };
}

/** Makes an attachment of a text's or an image's bytes. Throws a {@link Problem} `attachment` for one that is too large, or neither image nor text. */
export function attachmentOf(words: Localization, name: string, bytes: Uint8Array, uri?: string): MessageAttachment {
	const type = imageTypeOf(bytes);
	if (type) {
		checkSize(words, name, bytes.length, imageByteLimit);
		return { id: randomUUID(), part: { kind: 'image', name, mimeType: type, data: Buffer.from(bytes).toString('base64') } };
	}
	checkSize(words, name, bytes.length, textByteLimit);
	const text = textOf(bytes);
	if (text === undefined) {
		throw new Problem(
			'attachment',
			words.t(
				'{0} is neither text, a document (PDF, DOCX, XLSX, XLS, PPTX, ODT, EPUB, EML, MSG) nor a PNG, JPEG, GIF or WebP image.',
				name,
			),
		);
	}
	return { id: randomUUID(), part: { kind: 'file', name, language: languageOf(name), text, ...(uri && { uri }) } };
}

/** Throws a {@link Problem} `attachment` for a file of more bytes than `limit`. */
export function checkSize(words: Localization, name: string, bytes: number, limit: number): void {
	if (bytes > limit) {
		throw new Problem('attachment', words.t('{0} has {1}; {2} is the most.', name, megabytes(bytes), megabytes(limit)));
	}
}

/** The type that the bytes themselves show: names and declared types can lie. */
function imageTypeOf(bytes: Uint8Array): string | undefined {
	const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
	if (head.startsWith('\x89PNG\r\n\x1a\n')) {
		return 'image/png';
	}
	if (head.startsWith('\xff\xd8\xff')) {
		return 'image/jpeg';
	}
	if (head.startsWith('GIF8')) {
		return 'image/gif';
	}
	return head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP' ? 'image/webp' : undefined;
}

function textOf(bytes: Uint8Array): string | undefined {
	try {
		const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		return text.includes('\0') ? undefined : text;
	} catch {
		return undefined;
	}
}

/** Language for a fence, by the name's ending: what the renderer knows, else the ending itself. */
function languageOf(name: string): string {
	const ending = /\.([\w+-]{1,12})$/.exec(name)?.[1]?.toLowerCase() ?? '';
	return ending;
}

/** Bytes as people read them. */
export function megabytes(bytes: number): string {
	return `${(bytes / 1048576).toFixed(1)} MB`;
}
