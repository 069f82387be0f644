import { getErrorMessage } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { ThreadPool } from '#base/threads/threadPool.ts';

const office = 'application/vnd.openxmlformats-officedocument';
/** Supported documents by file extension. */
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

/** Returns the MIME type if the file is a document whose text must be extracted; undefined for other files. */
export function detectDocumentType(name: string, bytes: Uint8Array): string | undefined {
	const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
	if (head.includes('%PDF-')) {
		return types['pdf'];
	}
	const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
	// a file locked with a password isn't an archive; reading it fails with a message
	return ending !== 'pdf' && Object.hasOwn(types, ending) ? types[ending] : undefined;
}

/** Extracts the text of attached documents, in the thread that the gateway's agents use too. */
export class DocumentTexts {
	readonly #threads: Pick<ThreadPool, 'run'>;
	readonly #words: Localization;

	constructor(threads: Pick<ThreadPool, 'run'>, words: Localization) {
		this.#threads = threads;
		this.#words = words;
	}

	/** Returns the document's text, or an empty string with a message about why there is none. */
	async read(name: string, mimeType: string, bytes: Uint8Array): Promise<{ readonly text: string; readonly problem?: string }> {
		try {
			return { text: await this.#threads.run('document', { name, mimeType, bytes: new Uint8Array(bytes) }, AbortSignal.timeout(60_000)) };
		} catch (error) {
			return { text: '', problem: this.#words.t("Couldn't read text from '{0}': {1}", name, getErrorMessage(error).replace(/\.?$/, '.')) };
		}
	}
}
