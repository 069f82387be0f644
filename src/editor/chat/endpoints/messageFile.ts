import path from 'node:path';
import { cutText } from '#base/text/cutText.ts';
import type { StoredPart } from '#pages/chat/transcript/transcript.ts';

/** Maximum lengths of a file's name, ID and URL, in characters. */
const longestName = 200;
const longestId = 100;
const longestAddress = 4000;

/** Parses a file from a `message_file` event or a message. Returns `undefined` if it isn't valid or belongs to the other role. */
export function parseMessageFile(file: unknown, of: 'user' | 'assistant'): StoredPart | undefined {
	const fields = (file ?? {}) as Readonly<Record<string, unknown>>;
	const address = readString(fields['url'], longestAddress);
	// an uploaded file is downloaded by its ID, so its URL isn't needed
	const url = fields['transfer_method'] === 'local_file' ? undefined : address;
	const id = readString(fields['upload_file_id'], longestId) ?? (url === undefined ? undefined : readString(fields['id'], longestId));
	const name =
		readString(fields['filename'], Number.POSITIVE_INFINITY) ?? (url === undefined || id === undefined ? undefined : getFileName(url));
	if (name === undefined || (fields['belongs_to'] ?? 'user') !== of) {
		return undefined;
	}
	return {
		kind: 'stored',
		name: cutText(name, longestName),
		...(id !== undefined && { id }),
		...(id !== undefined && url !== undefined && { url }),
		...(id !== undefined && url !== undefined && fields['type'] === 'image' && { type: 'image' }),
	};
}

/** Returns the URL of the file with this ID in a message's files, or `undefined` if there is none. */
export function findFileAddress(files: unknown, id: string): string | undefined {
	return (Array.isArray(files) ? files : []).map(file => parseMessageFile(file, 'assistant')).find(file => file?.id === id)?.url;
}

function readString(value: unknown, longest: number): string | undefined {
	return typeof value === 'string' && value !== '' && value.length <= longest ? value : undefined;
}

/** Returns the file name in a URL, or `file`. */
function getFileName(url: string): string {
	const { pathname } = URL.canParse(url, 'https://service') ? new URL(url, 'https://service') : { pathname: '' };
	try {
		return path.posix.basename(decodeURIComponent(pathname)) || 'file';
	} catch {
		return 'file';
	}
}
