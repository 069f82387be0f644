import { getErrorMessage } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { ThreadPool } from '#base/threads/threadPool.ts';

const office = 'application/vnd.openxmlformats-officedocument';
/** MIME types of supported documents by file extension. */
const types: Readonly<Record<string, string>> = {
	pdf: 'application/pdf',
	docx: `${office}.wordprocessingml.document`,
	xlsx: `${office}.spreadsheetml.sheet`,
	pptx: `${office}.presentationml.presentation`,
	odt: 'application/vnd.oasis.opendocument.text',
	epub: 'application/epub+zip',
	xls: 'application/vnd.ms-excel',
	eml: 'message/rfc822',
	msg: 'application/vnd.ms-outlook',
};

/** Returns the MIME type of a document whose text must be extracted, or undefined for other files. */
export function detectDocumentType(name: string, bytes: Uint8Array): string | undefined {
	const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
	if (head.includes('%PDF-')) {
		return types['pdf'];
	}
	const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
	// trust the extension: an encrypted document isn't a ZIP archive, and reading it fails with a helpful message
	return ending !== 'pdf' && Object.hasOwn(types, ending) ? types[ending] : undefined;
}

/** Extracts the text of attached documents in a worker thread, with the same code as the gateway's agents. */
export class DocumentTexts {
	readonly #threads: Pick<ThreadPool, 'run'>;
	readonly #words: Localization;

	constructor(threads: Pick<ThreadPool, 'run'>, words: Localization) {
		this.#threads = threads;
		this.#words = words;
	}

	/** Returns the document's text, or an empty string and a message that says why there is none. */
	async extractText(name: string, mimeType: string, bytes: Uint8Array): Promise<{ readonly text: string; readonly problem?: string }> {
		try {
			return { text: await this.#threads.run('document', { name, mimeType, bytes: new Uint8Array(bytes) }, AbortSignal.timeout(60_000)) };
		} catch (error) {
			return { text: '', problem: this.#words.t("Couldn't read text from '{0}': {1}", name, getErrorMessage(error).replace(/\.?$/, '.')) };
		}
	}
}
