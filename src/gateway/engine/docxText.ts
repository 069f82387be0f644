import { unzipSync } from 'fflate';
import { NodeError } from './nodes/nodeType.ts';

/** Bytes of the unpacked text of a document; a small file can unpack to more than memory holds. */
const maxBytes = 50 * 1024 * 1024;

/** The text of a Word document (DOCX): its paragraphs, one a line; cells of a table row in one line. */
export function docxText(bytes: Uint8Array): string {
	let xml: Uint8Array | undefined;
	try {
		xml = unzipSync(bytes, {
			filter: ({ name, originalSize }) => name === 'word/document.xml' && originalSize <= maxBytes,
		})['word/document.xml'];
	} catch (cause) {
		throw new NodeError(`The document cannot be unpacked: ${(cause as Error).message}`, 'TextExtractionError', { cause });
	}
	if (!xml) {
		throw new NodeError('The document has no text, or over 50 MB of it', 'TextExtractionError');
	}
	return new TextDecoder()
		.decode(xml)
		.replace(/<w:tab\b[^<>]*\/>/g, '\t')
		.replace(/<w:(?:br|cr)\b[^<>]*\/>/g, '\n')
		.replace(/<\/w:p>\s*<\/w:tc>\s*(?=<w:tc\b)/g, ' | ')
		.replace(/<\/w:p>/g, '\n')
		.replace(/<w:(?:instrText|delText)\b[^<>]*>[^<]*/g, '')
		.replace(/<[^<>]*>/g, '')
		.replace(/&lt;/g, '<')
		.replace(/&gt;/g, '>')
		.replace(/&quot;/g, '"')
		.replace(/&apos;/g, "'")
		.replace(/&amp;/g, '&')
		.trim();
}
