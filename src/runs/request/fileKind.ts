import { getOwnField } from '#base/records/ownField.ts';
import type { FileObject } from '#contract/workflows.ts';

/** File extensions of the kinds that services know (Dify's lists). All others are documents. */
const endings: Readonly<Record<string, readonly string[]>> = {
	image: ['jpg', 'jpeg', 'png', 'gif', 'webp', 'svg'],
	audio: ['mp3', 'm4a', 'wav', 'amr', 'mpga', 'ogg'],
	video: ['mp4', 'mov', 'mpeg', 'webm'],
};
const mediaTypes: Readonly<Record<string, string>> = {
	txt: 'text/plain',
	md: 'text/markdown',
	html: 'text/html',
	csv: 'text/csv',
	json: 'application/json',
	pdf: 'application/pdf',
	docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	jpg: 'image/jpeg',
	svg: 'image/svg+xml',
	mp3: 'audio/mpeg',
	m4a: 'audio/mp4',
};

/** Returns the kind of a file by its extension, as named in file objects. */
export function getFileKind(name: string): FileObject['type'] {
	const ending = getExtension(name);
	return (Object.keys(endings).find(kind => endings[kind]?.includes(ending)) as FileObject['type'] | undefined) ?? 'document';
}

/** Returns the media type of a file by its extension; `undefined` if unknown. */
export function getMediaType(name: string): string | undefined {
	const ending = getExtension(name);
	const kind = getFileKind(name);
	return getOwnField(mediaTypes, ending) ?? (kind === 'document' ? undefined : `${kind}/${ending}`);
}

function getExtension(name: string): string {
	return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}
