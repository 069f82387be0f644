/** Kind of a document, which determines how it is read. */
type DocumentKind =
	| 'text'
	| 'html'
	| 'csv'
	| 'json'
	| 'properties'
	| 'pdf'
	| 'docx'
	| 'xlsx'
	| 'pptx'
	| 'odt'
	| 'epub'
	| 'eml'
	| 'msg'
	| 'old';

/** Extensions of plain text files: those of the hosted service and some similar ones. */
const plain = `txt md markdown mdx xml yml yaml log vtt srt ini toml cfg conf env c h cpp hpp cc cxx c++ py js mjs cjs ts jsx tsx java php rb go rs swift kt
	scala sh bash bat ps1 sql r m pl lua vim asm s css scss less sass tex rst adoc jsonl ndjson tsv`;

const byExtension: ReadonlyMap<string, DocumentKind> = new Map<string, DocumentKind>([
	...plain.split(/\s+/).map(extension => [extension, 'text'] as const),
	['', 'text'],
	['html', 'html'],
	['htm', 'html'],
	['xhtml', 'html'],
	['csv', 'csv'],
	['json', 'json'],
	['properties', 'properties'],
	['pdf', 'pdf'],
	['docx', 'docx'],
	['xlsx', 'xlsx'],
	['xlsm', 'xlsx'],
	['pptx', 'pptx'],
	['odt', 'odt'],
	['epub', 'epub'],
	['eml', 'eml'],
	['msg', 'msg'],
	['doc', 'old'],
	['xls', 'xlsx'],
	['ppt', 'old'],
]);

const office = 'application/vnd.openxmlformats-officedocument';
const byType: ReadonlyMap<string, DocumentKind> = new Map([
	['text/plain', 'text'],
	['text/markdown', 'text'],
	['text/html', 'html'],
	['text/csv', 'csv'],
	['application/json', 'json'],
	['application/xml', 'text'],
	['text/xml', 'text'],
	['application/yaml', 'text'],
	['application/x-yaml', 'text'],
	['text/yaml', 'text'],
	['text/vtt', 'text'],
	['text/properties', 'properties'],
	['application/pdf', 'pdf'],
	[`${office}.wordprocessingml.document`, 'docx'],
	[`${office}.spreadsheetml.sheet`, 'xlsx'],
	[`${office}.presentationml.presentation`, 'pptx'],
	['application/vnd.oasis.opendocument.text', 'odt'],
	['application/epub+zip', 'epub'],
	['message/rfc822', 'eml'],
	['application/msword', 'old'],
	['application/vnd.ms-excel', 'xlsx'],
	['application/vnd.ms-outlook', 'msg'],
	['application/vnd.ms-powerpoint', 'old'],
]);

/**
 * Returns the kind of a document, based on its MIME type if that is known and otherwise on its file extension. Returns undefined if the
 * document can't be read.
 */
export function getDocumentKind({ name, mimeType }: { readonly name: string; readonly mimeType: string }): DocumentKind | undefined {
	const type = getPlainMimeType(mimeType);
	const named = byExtension.get(getFileExtension(name));
	// many programs label CSV, code and mails as plain text, or any table as Excel
	return type === 'text/plain' || type === 'application/vnd.ms-excel' ? (named ?? byType.get(type)) : (byType.get(type) ?? named);
}

/** Returns the extension of a file name in lower case, without its dot. */
export function getFileExtension(name: string): string {
	return /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** True if the MIME type identifies a supported kind of document. */
export function isKnownMimeType(mimeType: string): boolean {
	return byType.has(getPlainMimeType(mimeType));
}

function getPlainMimeType(mimeType: string): string {
	return mimeType.split(';')[0]?.trim().toLowerCase() ?? '';
}
