import { detectCharset } from './charsetDetection.ts';

/** Number of bytes at the start of a page in which it may declare its charset. */
const sniffedBytes = 1024;

/**
 * Decodes bytes to text. The charset is taken from the byte order mark, the content type, or a declaration in the text (HTML, XML).
 * Without any of these it is UTF-8, or a guess if the bytes aren't valid UTF-8.
 */
export function decodeText(bytes: Uint8Array, mimeType: string): string {
	const label = detectByteOrderMark(bytes) ?? /charset\s*=\s*["']?([\w:.+-]+)/i.exec(mimeType)?.[1] ?? findDeclaredEncoding(bytes);
	const decoder = label === undefined ? undefined : createDecoder(label);
	if (decoder) {
		return decoder.decode(bytes);
	}
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		return new TextDecoder(detectCharset(bytes)).decode(bytes);
	}
}

/** True if bytes start with a UTF-16 byte order mark. Every second byte of such a text may be NUL. */
export function isUtf16(bytes: Uint8Array): boolean {
	return detectByteOrderMark(bytes)?.startsWith('utf-16') ?? false;
}

function detectByteOrderMark([first, second, third]: Uint8Array): string | undefined {
	if (first === 0xff && second === 0xfe) {
		return 'utf-16le';
	}
	if (first === 0xfe && second === 0xff) {
		return 'utf-16be';
	}
	return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined;
}

function findDeclaredEncoding(bytes: Uint8Array): string | undefined {
	const head = new TextDecoder('latin1').decode(bytes.subarray(0, sniffedBytes));
	const label =
		/<meta\b[^<>]*\bcharset\s*=\s*["']?([\w:.+-]+)/i.exec(head)?.[1] ??
		/^\s*<\?xml\b[^<>]*\bencoding\s*=\s*["']([\w:.+-]+)/.exec(head)?.[1];
	// a declaration that is readable as single bytes isn't in UTF-16: programs write it in memory as UTF-16 and save it in UTF-8
	return label !== undefined && createDecoder(label)?.encoding.startsWith('utf-16') ? undefined : label;
}

/** Returns `undefined` for an unknown charset. */
function createDecoder(label: string): TextDecoder | undefined {
	try {
		return new TextDecoder(label);
	} catch {
		return undefined;
	}
}
