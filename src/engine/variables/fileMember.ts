import { type FileValue, getFileName } from './fileValue.ts';

/** Members of a file that conditions and list operators can use. */
export const fileMembers: ReadonlySet<string> = new Set('name type size extension mime_type transfer_method url related_id'.split(' '));

/** Returns a member of a file by its name in conditions and list operators. */
export function getFileMember(file: FileValue, key: string): string | number | null {
	switch (key) {
		case 'name':
			return getFileName(file);
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
