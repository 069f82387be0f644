import { csvTable } from './csvTable.ts';
import { docxText } from './docxText.ts';
import { htmlText } from './htmlText.ts';
import { NodeError } from './nodes/nodeType.ts';

/** A document to read: its name tells its kind where the type does not. */
export interface Document {
	readonly name: string;
	readonly mimeType: string;
	readonly bytes: Uint8Array;
}

const plainExtensions = new Set([
	'txt',
	'md',
	'markdown',
	'mdx',
	'xml',
	'yml',
	'yaml',
	'log',
	'vtt',
	'srt',
	'properties',
	'ini',
	'toml',
	'',
]);
const byType: Readonly<Record<string, string>> = {
	'text/plain': 'txt',
	'text/markdown': 'md',
	'text/html': 'html',
	'text/csv': 'csv',
	'application/json': 'json',
	'application/xml': 'xml',
	'text/xml': 'xml',
	'application/yaml': 'yml',
	'application/pdf': 'pdf',
	'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
};

/** The text of a document. @throws {NodeError} with type UnsupportedFileTypeError for kinds that cannot be read here */
export function documentText(document: Document): string {
	const kind = kindOf(document);
	const text = () => new TextDecoder().decode(document.bytes);
	switch (kind) {
		case 'html':
		case 'htm':
			return htmlText(text());
		case 'csv':
			return csvTable(text());
		case 'json':
			return jsonText(text());
		case 'docx':
			return docxText(document.bytes);
		default:
			if (plainExtensions.has(kind) && !hasNul(document.bytes)) {
				return text();
			}
			throw new NodeError(
				`The file "${document.name}" is of a kind that cannot be read here (${kind || document.mimeType || 'unknown'}); text, Markdown, HTML, CSV, JSON, YAML, XML and DOCX can`,
				'UnsupportedFileTypeError',
			);
	}
}

function kindOf({ name, mimeType }: Document): string {
	const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase();
	return byType[mimeType.split(';')[0]?.trim().toLowerCase() ?? ''] ?? extension ?? '';
}

function jsonText(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}

/** Text files have none; what has is of a kind whose name lies. */
function hasNul(bytes: Uint8Array): boolean {
	return bytes.subarray(0, 8192).includes(0);
}
