import type { FileValue } from './fileValue.ts';

/** Members of a file that conditions and list operators can name. */
export const fileMembers: ReadonlySet<string> = new Set('name type size extension mime_type transfer_method url related_id'.split(' '));

/** Member of a file that conditions and list operators name. */
export function fileMember(file: FileValue, key: string): string | number | null {
	switch (key) {
		case 'name':
			return file.filename;
		case 'type':
		case 'extension':
		case 'mime_type':
		case 'transfer_method':
		case 'related_id':
		case 'size':
			return file[key];
		case 'url':
			return file.url ?? file.remote_url;
		default:
			return null;
	}
}
