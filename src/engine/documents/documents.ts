import { indentJson } from '#base/text/json.ts';
import type { Document } from '#base/threads/tasks.ts';
import { NodeError } from '../nodes/nodeError.ts';
import { formatCsvTable } from './csvTable.ts';
import { getDocumentKind, getFileExtension } from './documentKinds.ts';
import { readHtmlText } from './htmlText.ts';
import { maxText } from './markdownTable.ts';
import { isCompoundFile } from './office/compoundFile.ts';
import { decodeText, isUtf16 } from './textDecoding.ts';

/** Maximum length in characters of JSON to pretty-print; longer JSON is returned unchanged. */
const maxJson = 4_000_000;

/**
 * Returns the text of a document. It may take long, so call it in a thread that can be terminated (`DocumentReader`). The parser of a kind
 * is loaded with the first document of that kind. @throws {NodeError} with type UnsupportedFileTypeError for unsupported kinds, and
 * TextExtractionError for damaged or too large documents
 */
export async function readDocumentText(document: Document): Promise<string> {
	const text = await extractText(document).catch((cause: unknown) => {
		throw cause instanceof NodeError
			? cause
			: new NodeError(
					`The document '${document.name}' is damaged, or its extension is wrong: ${(cause as Error).message}`,
					'TextExtractionError',
					{ cause },
				);
	});
	if (text.length > maxText) {
		throw new NodeError(
			`The text of '${document.name}' is longer than ${maxText} characters, the limit for documents`,
			'TextExtractionError',
		);
	}
	return text;
}

async function extractText(document: Document): Promise<string> {
	const { bytes } = document;
	switch (getDocumentKind(document)) {
		case 'html':
			return readHtmlText(decodePlainText(document));
		case 'csv':
			return formatCsvTable(decodePlainText(document));
		case 'json':
			return formatJsonText(decodePlainText(document));
		case 'properties':
			return formatProperties(decodePlainText(document));
		case 'text':
			return decodePlainText(document);
		case 'pdf':
			return (await import('./pdfText.ts')).readPdfText(bytes);
		case 'docx':
			return (await import('./office/docxText.ts')).readDocxText(bytes);
		case 'xlsx':
			return isCompoundFile(bytes)
				? (await import('./office/xlsText.ts')).readXlsText(bytes)
				: (await import('./office/xlsxText.ts')).readXlsxText(bytes);
		case 'pptx':
			return (await import('./office/pptxText.ts')).readPptxText(bytes);
		case 'odt':
			return (await import('./office/odtText.ts')).readOdtText(bytes);
		case 'epub':
			return (await import('./office/epubText.ts')).readEpubText(bytes);
		case 'eml':
			return (await import('./emlText.ts')).readEmlText(bytes);
		case 'msg':
			return (await import('./office/msgText.ts')).readMsgText(bytes);
		case 'old':
			throw new NodeError(
				`The file '${document.name}' has an Office format from before 2007, which isn't supported. Save it as DOCX, PPTX or PDF.`,
				'UnsupportedFileTypeError',
			);
		default:
			throw createUnsupportedError(document);
	}
}

/** Refuses a file that contains NUL: it isn't a text file, whatever its name says. */
function decodePlainText(document: Document): string {
	const { bytes, mimeType } = document;
	if (!isUtf16(bytes) && bytes.subarray(0, 8192).includes(0)) {
		throw createUnsupportedError(document);
	}
	return decodeText(bytes, mimeType);
}

function createUnsupportedError({ name, mimeType }: Document): NodeError {
	return new NodeError(
		`The type of the file '${name}' isn't supported (${getFileExtension(name) || mimeType || 'unknown'}). Expected text, code, Markdown, HTML, CSV, JSON, YAML, XML, PDF, DOCX, XLSX, XLS, PPTX, ODT, EPUB, EML or MSG.`,
		'UnsupportedFileTypeError',
	);
}

function formatJsonText(text: string): string {
	return text.length > maxJson ? text : indentJson(text);
}

/** Formats Java properties as the hosted service does: one `key: value` per line, comments unchanged. */
function formatProperties(text: string): string {
	return text
		.split(/\r\n|[\n\r]/)
		.map(formatPropertyLine)
		.join('\n')
		.replace(/\n$/, '');
}

function formatPropertyLine(line: string): string {
	const stripped = line.trim();
	if (stripped === '' || stripped.startsWith('#') || stripped.startsWith('!')) {
		return stripped;
	}
	const separator = stripped.includes('=') ? '=' : ':';
	const [key = '', ...value] = stripped.split(separator);
	return `${key.trim()}: ${value.join(separator).trim()}`;
}
