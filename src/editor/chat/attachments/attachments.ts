import { randomUUID } from 'node:crypto';
import { Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { MessageAttachment } from '#pages/chat/transcript/transcript.ts';
import { type DocumentTexts, detectDocumentType } from './documentTexts.ts';

/** Maximum size of an image or document in bytes. Anthropic's limit for images, the lowest of the services. */
export const imageByteLimit = 5 * 1024 * 1024;
/** Maximum size of a text file in bytes, and of a document's text in characters. That's about 250,000 tokens. */
export const textByteLimit = 1024 * 1024;

/** Creates an attachment from a file. Extracts the text if it's a document. Rejects with the errors of {@link createAttachment}. */
export async function createFileAttachment(
	words: Localization,
	documents: DocumentTexts,
	name: string,
	bytes: Uint8Array,
	uri?: string,
): Promise<MessageAttachment> {
	const mimeType = detectImageType(bytes) ? undefined : detectDocumentType(name, bytes);
	if (!mimeType) {
		return createAttachment(words, name, bytes, uri);
	}
	checkFileSize(words, name, bytes.length, imageByteLimit);
	const read = await documents.extractText(name, mimeType, bytes);
	const data = Buffer.from(bytes).toString('base64');
	return { id: randomUUID(), part: { kind: 'document', name, mimeType, data, ...read, ...(uri && { uri }) } };
}

/** Creates an attachment from the bytes of a text or image. Throws a {@link Problem} `attachment` for other types or if it's too large. */
export function createAttachment(words: Localization, name: string, bytes: Uint8Array, uri?: string): MessageAttachment {
	const type = detectImageType(bytes);
	if (type) {
		checkFileSize(words, name, bytes.length, imageByteLimit);
		return { id: randomUUID(), part: { kind: 'image', name, mimeType: type, data: Buffer.from(bytes).toString('base64') } };
	}
	checkFileSize(words, name, bytes.length, textByteLimit);
	const text = decodeText(bytes);
	if (text === undefined) {
		throw new Problem(
			'attachment',
			words.t(
				"'{0}' can't be attached. Use text, an image (PNG, JPEG, GIF or WebP), or a document (PDF, Office, ODT, EPUB or email).",
				name,
			),
		);
	}
	return { id: randomUUID(), part: { kind: 'file', name, language: getFenceLanguage(name), text, ...(uri && { uri }) } };
}

/** Returns the size of an attachment in bytes. */
export function getPartSize(part: MessageAttachment['part']): number {
	return part.kind === 'file' ? Buffer.byteLength(part.text) : Buffer.byteLength(part.data, 'base64');
}

/** Throws a {@link Problem} `attachment` if a file is larger than `limit` bytes. */
export function checkFileSize(words: Localization, name: string, bytes: number, limit: number): void {
	if (bytes > limit) {
		throw new Problem(
			'attachment',
			words.t("'{0}' is too large ({1}). The limit is {2}.", name, formatMegabytes(bytes), formatMegabytes(limit)),
		);
	}
}

/** Detects an image's MIME type by its bytes, because names and declared types can be wrong. */
function detectImageType(bytes: Uint8Array): string | undefined {
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

function decodeText(bytes: Uint8Array): string | undefined {
	try {
		const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		return text.includes('\0') ? undefined : text;
	} catch {
		return undefined;
	}
}

/** Returns the language for a Markdown fence, which is the file extension. */
function getFenceLanguage(name: string): string {
	return /\.([\w+-]{1,12})$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

export function formatMegabytes(bytes: number): string {
	return `${(bytes / 1048576).toFixed(1)} MB`;
}
