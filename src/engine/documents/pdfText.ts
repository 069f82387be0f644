import { getDocument, type PDFDocumentProxy, VerbosityLevel } from 'unpdf/pdfjs';
import { NodeError } from '../nodes/nodeType.ts';
import { maxText } from './markdownTable.ts';

/**
 * Returns the text of a PDF: its pages in order with an empty line between them. Images aren't read, so a scanned page has no text.
 * @throws {NodeError} if the PDF is encrypted, has no text, or has too much
 */
export async function pdfText(bytes: Uint8Array): Promise<string> {
	const task = getDocument({
		// the library detaches the buffer that it is given
		data: new Uint8Array(bytes),
		verbosity: VerbosityLevel.ERRORS,
		disableFontFace: true,
		useSystemFonts: false,
		useWorkerFetch: false,
		useWasm: false,
	});
	try {
		const document = await task.promise;
		return await textOf(document);
	} catch (cause) {
		throw cause instanceof Error && cause.name === 'PasswordException'
			? new NodeError('The document is protected with a password; save it without one', 'TextExtractionError', { cause })
			: cause;
	} finally {
		await task.destroy();
	}
}

async function textOf(document: PDFDocumentProxy): Promise<string> {
	const pages: string[] = [];
	let characters = 0;
	for (let number = 1; number <= document.numPages; number++) {
		const page = await document.getPage(number);
		const { items } = await page.getTextContent();
		const text = items
			.map(item => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
			.join('')
			.trim();
		page.cleanup();
		characters += text.length;
		if (characters > maxText) {
			throw new NodeError(`The text of the document is over ${maxText} characters, the most that can be read`, 'TextExtractionError');
		}
		pages.push(text);
	}
	if (characters === 0) {
		throw new NodeError(
			`The document has no text on its ${document.numPages === 1 ? 'page' : `${document.numPages} pages`}: it is scanned, or has pictures alone; have its text recognised (OCR) first`,
			'TextExtractionError',
		);
	}
	return pages.filter(page => page !== '').join('\n\n');
}
