import { messageOf } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { ThreadPool } from '#base/threads/threadPool.ts';

const office = 'application/vnd.openxmlformats-officedocument';
/** Documents that are read, by the ending of their names. */
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

/** The type of a document whose text has to be read out of it; undefined for any other file. */
export function documentTypeOf(name: string, bytes: Uint8Array): string | undefined {
	const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
	if (head.includes('%PDF-')) {
		return types['pdf'];
	}
	const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
	// a file that is locked with a password is no archive, and is refused in words
	return ending !== 'pdf' && Object.hasOwn(types, ending) ? types[ending] : undefined;
}

/** Reads the texts of documents that are attached, in the thread in which the gateway's agents read theirs. */
export class DocumentTexts {
	readonly #threads: Pick<ThreadPool, 'run'>;
	readonly #words: Localization;

	constructor(threads: Pick<ThreadPool, 'run'>, words: Localization) {
		this.#threads = threads;
		this.#words = words;
	}

	/** The document's text; or why it has none, as a sentence, and an empty text. */
	async read(name: string, mimeType: string, bytes: Uint8Array): Promise<{ readonly text: string; readonly problem?: string }> {
		try {
			return { text: await this.#threads.run('document', { name, mimeType, bytes: new Uint8Array(bytes) }, AbortSignal.timeout(60_000)) };
		} catch (error) {
			return { text: '', problem: this.#words.t('{0} has no text that can be read: {1}', name, messageOf(error).replace(/\.?$/, '.')) };
		}
	}
}
