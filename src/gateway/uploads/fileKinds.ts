import { ServiceFault } from '#contract/faults/serviceFault.ts';

const megabyte = 1024 * 1024;

/** Maximum size of a file in bytes, by kind (wire facts 1.1). Other kinds count as documents. */
export const sizeLimits = { document: 15 * megabyte, image: 10 * megabyte, audio: 50 * megabyte, video: 100 * megabyte } as const;
type FileKind = keyof typeof sizeLimits;

const kinds: Readonly<Record<string, FileKind>> = {
	...mapKind('image', ['jpg', 'jpeg', 'png', 'gif', 'webp', 'svg']),
	...mapKind('audio', ['mp3', 'm4a', 'wav', 'webm', 'amr', 'mpga']),
	...mapKind('video', ['mp4', 'mov', 'mpeg', 'mpg']),
};

/** Extensions of programs, which agents can't read and which shouldn't be stored in a data folder. */
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

/** Returns a file's name without its path and control characters, at most 200 characters long. Throws an error (400) if nothing is left. */
export function cleanFileName(name: string): string {
	const last = name.split(/[/\\]/).at(-1) ?? '';
	const plain = last.replaceAll(/[\u0000-\u001f\u007f"<>|*?:]/g, '').trim();
	if (plain === '' || plain === '.' || plain === '..') {
		throw new ServiceFault(400, 'The specified filename does not exist.', { code: 'filename_not_exists_error' });
	}
	const extension = getExtension(plain);
	const characters = [...plain];
	return characters.length <= 200 ? plain : `${characters.slice(0, 199 - extension.length).join('')}.${extension}`;
}

/** Returns the extension of a file name in lower case, without the dot. */
export function getExtension(name: string): string {
	return /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** Returns the kind of a file. Throws an error (415) for types that aren't allowed. */
export function getFileKind(extension: string, mimeType: string): FileKind {
	if (refused.has(extension)) {
		throw new ServiceFault(415, `File type not allowed: .${extension} files aren't accepted.`, { code: 'unsupported_file_type' });
	}
	const family = /^(image|audio|video)\//.exec(mimeType)?.[1] as FileKind | undefined;
	return kinds[extension] ?? family ?? 'document';
}

/** Returns the media type that the client gave, or else that of the extension. */
export function getMimeType(extension: string, named: string | undefined): string {
	const plain = /^[\w.+-]+\/[\w.+-]+/.exec(named ?? '')?.[0].toLowerCase();
	return plain !== undefined && plain !== 'application/octet-stream'
		? plain
		: (mimeTypes[extension] ?? plain ?? 'application/octet-stream');
}

/** Returns the extension for a media type; `bin` if it's unknown. */
export function getTypeExtension(mimeType: string): string {
	return Object.entries(mimeTypes).find(([, type]) => type === mimeType)?.[0] ?? 'bin';
}

function mapKind(name: FileKind, extensions: readonly string[]): Readonly<Record<string, FileKind>> {
	return Object.fromEntries(extensions.map(extension => [extension, name]));
}
