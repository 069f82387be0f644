import { Archive } from './archive.ts';
import { FlowText } from './flowText.ts';
import { findListedParts } from './relations.ts';
import { readXml } from './xmlEvents.ts';

/** Returns the text of a presentation (PPTX): slides in order with an empty line between them, tables as Markdown. */
export function readPptxText(bytes: Uint8Array): string {
	const archive = new Archive(bytes);
	const slides = findListedParts(archive, 'ppt/presentation.xml', 'sldId');
	const files = archive.readListedFiles(slides.map(({ path }) => path));
	const texts = slides.map(({ path }) => {
		const text = new FlowText();
		readXml(files.get(path) ?? new Uint8Array(), text);
		return text.toText();
	});
	return texts.filter(text => text !== '').join('\n\n');
}
