import { ownField } from '#base/records/ownField.ts';
import type { FileObject } from '#contract/workflows.ts';

/** Endings of the kinds of file that services know (Dify's lists); all others are documents. */
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

/** Kind of a file by its ending, as a file object names it. */
export function kindOfFile(name: string): FileObject['type'] {
	const ending = endingOf(name);
	return (Object.keys(endings).find(kind => endings[kind]?.includes(ending)) as FileObject['type'] | undefined) ?? 'document';
}

/** Media type of a file by its ending; `undefined` where it is not known. */
export function mediaTypeOf(name: string): string | undefined {
	const ending = endingOf(name);
	const kind = kindOfFile(name);
	return ownField(mediaTypes, ending) ?? (kind === 'document' ? undefined : `${kind}/${ending}`);
}

function endingOf(name: string): string {
	return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}
