import { Archive } from './archive.ts';
import { FlowText } from './flowText.ts';
import { readXml } from './xmlEvents.ts';

/** Returns the text of a Word document (DOCX) with one paragraph per line and tables as Markdown. */
export function readDocxText(bytes: Uint8Array): string {
	const text = new FlowText();
	readXml(new Archive(bytes).readFile('word/document.xml'), text);
	return text.toText();
}
