import { detectCharset } from './charsetDetection.ts';

/** Bytes at the beginning of a page in which it may name its charset. */
const sniffedBytes = 1024;

/**
 * The text of bytes: by their byte order mark, by the charset of their content type, by what the text says of itself (HTML, XML), else UTF-8,
 * or by the charset that fits what is none.
 */
export function decodeText(bytes: Uint8Array, mimeType: string): string {
	const label = markOf(bytes) ?? /charset\s*=\s*["']?([\w:.+-]+)/i.exec(mimeType)?.[1] ?? namedInside(bytes);
	const decoder = label === undefined ? undefined : decoderOf(label);
	if (decoder) {
		return decoder.decode(bytes);
	}
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		return new TextDecoder(detectCharset(bytes)).decode(bytes);
	}
}

/** Whether bytes begin with a byte order mark of UTF-16, in which every second byte of a text may be NUL. */
export function isUtf16(bytes: Uint8Array): boolean {
	return markOf(bytes)?.startsWith('utf-16') ?? false;
}

function markOf([first, second, third]: Uint8Array): string | undefined {
	if (first === 0xff && second === 0xfe) {
		return 'utf-16le';
	}
	if (first === 0xfe && second === 0xff) {
		return 'utf-16be';
	}
	return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined;
}

function namedInside(bytes: Uint8Array): string | undefined {
	const head = new TextDecoder('latin1').decode(bytes.subarray(0, sniffedBytes));
	return (
		/<meta\b[^<>]*\bcharset\s*=\s*["']?([\w:.+-]+)/i.exec(head)?.[1] ?? /^\s*<\?xml\b[^<>]*\bencoding\s*=\s*["']([\w:.+-]+)/.exec(head)?.[1]
	);
}

/** `undefined` for a charset that does not exist. */
function decoderOf(label: string): TextDecoder | undefined {
	try {
		return new TextDecoder(label);
	} catch {
		return undefined;
	}
}
