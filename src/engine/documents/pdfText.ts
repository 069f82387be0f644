import { getDocument, type PDFDocumentProxy, VerbosityLevel } from 'unpdf/pdfjs';
import { NodeError } from '../nodes/nodeError.ts';
import { maxText } from './markdownTable.ts';

/**
 * Returns the text of a PDF: its pages in order with an empty line between them. Images aren't read, so a scanned page has no text.
 * @throws {NodeError} if the PDF is encrypted, has no text, or has too much
 */
export async function readPdfText(bytes: Uint8Array): Promise<string> {
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
		return await extractPages(document);
	} catch (cause) {
		throw cause instanceof Error && cause.name === 'PasswordException'
			? new NodeError('The document has a password. Save it without one.', 'TextExtractionError', { cause })
			: cause;
	} finally {
		await task.destroy();
	}
}

async function extractPages(document: PDFDocumentProxy): Promise<string> {
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
			throw new NodeError(`The text of the document is longer than ${maxText} characters, the limit for documents`, 'TextExtractionError');
		}
		pages.push(text);
	}
	if (characters === 0) {
		throw new NodeError('The document contains no text, only images. Run text recognition (OCR) on it first.', 'TextExtractionError');
	}
	return pages.filter(page => page !== '').join('\n\n');
}
