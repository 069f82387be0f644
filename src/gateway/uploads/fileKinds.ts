import { ServiceFault } from '#contract/faults/serviceFault.ts';

const megabyte = 1024 * 1024;

/** Bytes that a file of each kind may have (wire facts 1.1); all others count as documents. */
export const sizeLimits = { document: 15 * megabyte, image: 10 * megabyte, audio: 50 * megabyte, video: 100 * megabyte } as const;
type FileKind = keyof typeof sizeLimits;

const kinds: Readonly<Record<string, FileKind>> = {
	...kind('image', ['jpg', 'jpeg', 'png', 'gif', 'webp', 'svg']),
	...kind('audio', ['mp3', 'm4a', 'wav', 'webm', 'amr', 'mpga']),
	...kind('video', ['mp4', 'mov', 'mpeg', 'mpg']),
};

/** Programs: no agent reads them, and nobody wants them in a folder of data. */
const refused = new Set(['exe', 'dll', 'com', 'scr', 'msi', 'bat', 'cmd', 'ps1', 'vbs', 'jar', 'app', 'dmg', 'apk']);

const mimeTypes: Readonly<Record<string, string>> = {
	txt: 'text/plain',
	md: 'text/markdown',
	html: 'text/html',
	csv: 'text/csv',
	json: 'application/json',
	xml: 'application/xml',
	pdf: 'application/pdf',
	docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
	pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
	jpg: 'image/jpeg',
	jpeg: 'image/jpeg',
	png: 'image/png',
	gif: 'image/gif',
	webp: 'image/webp',
	svg: 'image/svg+xml',
	mp3: 'audio/mpeg',
	wav: 'audio/wav',
	mp4: 'video/mp4',
};

/** A file's name without any path or control character, at most 200 characters long. Throws a fault (400) where nothing is left of it. */
export function plainName(name: string): string {
	const last = name.split(/[/\\]/).at(-1) ?? '';
	const plain = last.replaceAll(/[\u0000-\u001f\u007f"<>|*?:]/g, '').trim();
	if (plain === '' || plain === '.' || plain === '..') {
		throw new ServiceFault(400, 'The specified filename does not exist.', { code: 'filename_not_exists_error' });
	}
	const extension = extensionOf(plain);
	const characters = [...plain];
	return characters.length <= 200 ? plain : `${characters.slice(0, 199 - extension.length).join('')}.${extension}`;
}

/** Ending of a file's name in lower case, without its dot. */
export function extensionOf(name: string): string {
	return /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** What a file counts as. Throws a fault (415) for what is not taken. */
export function kindOf(extension: string, mimeType: string): FileKind {
	if (refused.has(extension)) {
		throw new ServiceFault(415, `File type not allowed: .${extension} files are not taken.`, { code: 'unsupported_file_type' });
	}
	const family = /^(image|audio|video)\//.exec(mimeType)?.[1] as FileKind | undefined;
	return kinds[extension] ?? family ?? 'document';
}

/** The media type that a client has named, or that of the ending. */
export function mimeTypeOf(extension: string, named: string | undefined): string {
	const plain = /^[\w.+-]+\/[\w.+-]+/.exec(named ?? '')?.[0].toLowerCase();
	return plain !== undefined && plain !== 'application/octet-stream'
		? plain
		: (mimeTypes[extension] ?? plain ?? 'application/octet-stream');
}

/** The ending that files of a media type have; `bin` for one that is not known here. */
export function extensionOfType(mimeType: string): string {
	return Object.entries(mimeTypes).find(([, type]) => type === mimeType)?.[0] ?? 'bin';
}

function kind(name: FileKind, extensions: readonly string[]): Readonly<Record<string, FileKind>> {
	return Object.fromEntries(extensions.map(extension => [extension, name]));
}
