import { NodeError } from '../../nodes/nodeError.ts';
import { readHtmlText } from '../htmlText.ts';
import { decodeText } from '../textDecoding.ts';
import { Archive, resolveArchivePath } from './archive.ts';
import { readXml } from './xmlEvents.ts';

/** Returns the text of a book (EPUB): its chapters in reading order. */
export function readEpubText(bytes: Uint8Array): string {
	const archive = new Archive(bytes);
	const chapters = listChapters(archive, findPackagePath(archive));
	const files = archive.readListedFiles(chapters);
	const locked = findEncryptedFiles(archive);
	if (chapters.some(path => locked.has(path))) {
		throw new NodeError("The text of the document can't be read because it's copy-protected", 'TextExtractionError');
	}
	const texts = [...files.values()].map(page => readHtmlText(decodeText(page, ''), true));
	return texts.filter(text => text !== '').join('\n\n');
}

/** Returns the path of the package file, which lists the contents of the book. */
function findPackagePath(archive: Archive): string {
	const container = 'META-INF/container.xml';
	let path: string | undefined;
	readXml(archive.readFile(container), {
		openElement(name, attributes) {
			path ??= name === 'rootfile' ? attributes['full-path'] : undefined;
		},
	});
	return resolveArchivePath('', path ?? 'content.opf');
}

function listChapters(archive: Archive, path: string): string[] {
	const items = new Map<string, string>();
	const chapters: string[] = [];
	readXml(archive.readFile(path), {
		openElement(name, { id, href, idref }) {
			if (name === 'item' && id !== undefined && href !== undefined) {
				items.set(id, resolveArchivePath(path, href));
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
function findEncryptedFiles(archive: Archive): ReadonlySet<string> {
	const encrypted = new Set<string>();
	for (const xml of archive.readFiles(name => name === 'META-INF/encryption.xml').values()) {
		readXml(xml, {
			openElement(name, { URI }) {
				if (name === 'CipherReference' && URI !== undefined) {
					encrypted.add(resolveArchivePath('', URI));
				}
			},
		});
	}
	return encrypted;
}
