import { NodeError } from '../../nodes/nodeType.ts';
import { htmlText } from '../htmlText.ts';
import { decodeText } from '../textDecoding.ts';
import { Archive, pathFrom } from './archive.ts';
import { readXml } from './xmlEvents.ts';

/** Returns the text of a book (EPUB): its chapters in reading order. */
export function epubText(bytes: Uint8Array): string {
	const archive = new Archive(bytes);
	const chapters = chaptersOf(archive, packageOf(archive));
	const wanted = new Set(chapters);
	const files = archive.some(name => wanted.has(name));
	const locked = encryptedOf(archive);
	if (chapters.some(path => locked.has(path))) {
		throw new NodeError("The text of the document can't be read because it's copy-protected", 'TextExtractionError');
	}
	const texts = chapters.flatMap(path => {
		const page = files.get(path);
		return page ? [htmlText(decodeText(page, ''), true)] : [];
	});
	return texts.filter(text => text !== '').join('\n\n');
}

/** Returns the path of the package file, which lists the contents of the book. */
function packageOf(archive: Archive): string {
	const container = 'META-INF/container.xml';
	let path: string | undefined;
	readXml(archive.one(container), {
		open(name, attributes) {
			path ??= name === 'rootfile' ? attributes['full-path'] : undefined;
		},
	});
	return pathFrom('', path ?? 'content.opf');
}

function chaptersOf(archive: Archive, path: string): string[] {
	const items = new Map<string, string>();
	const chapters: string[] = [];
	readXml(archive.one(path), {
		open(name, { id, href, idref }) {
			if (name === 'item' && id !== undefined && href !== undefined) {
				items.set(id, pathFrom(path, href));
			}
			const chapter = name === 'itemref' && idref !== undefined ? items.get(idref) : undefined;
			if (chapter !== undefined) {
				chapters.push(chapter);
			}
		},
	});
	// a chapter that is listed repeatedly is read once
	return [...new Set(chapters)];
}

/** Returns the paths of encrypted files, which often include fonts. */
function encryptedOf(archive: Archive): ReadonlySet<string> {
	const encrypted = new Set<string>();
	for (const xml of archive.some(name => name === 'META-INF/encryption.xml').values()) {
		readXml(xml, {
			open(name, { URI }) {
				if (name === 'CipherReference' && URI !== undefined) {
					encrypted.add(pathFrom('', URI));
				}
			},
		});
	}
	return encrypted;
}
