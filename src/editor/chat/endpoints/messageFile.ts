import path from 'node:path';
import { cutText } from '#base/text/cutText.ts';
import type { StoredPart } from '#pages/chat/transcript/transcript.ts';

/** Most characters of a file's name, of its ID and of its address. */
const longestName = 200;
const longestId = 100;
const longestAddress = 4000;

/** A file of a message, as an event (`message_file`) or a message tells it, of whom it belongs to; `undefined` for what is none of theirs. */
export function storedFile(file: unknown, of: 'user' | 'assistant'): StoredPart | undefined {
	const told = (file ?? {}) as Readonly<Record<string, unknown>>;
	const address = textIn(told['url'], longestAddress);
	// what was uploaded is fetched by its ID, for as long as the service has it
	const url = told['transfer_method'] === 'local_file' ? undefined : address;
	const id = textIn(told['upload_file_id'], longestId) ?? (url === undefined ? undefined : textIn(told['id'], longestId));
	const name = textIn(told['filename'], Number.POSITIVE_INFINITY) ?? (url === undefined || id === undefined ? undefined : nameIn(url));
	if (name === undefined || (told['belongs_to'] ?? 'user') !== of) {
		return undefined;
	}
	return {
		kind: 'stored',
		name: cutText(name, longestName),
		...(id !== undefined && { id }),
		...(id !== undefined && url !== undefined && { url }),
		...(id !== undefined && url !== undefined && told['type'] === 'image' && { type: 'image' }),
	};
}

/** Where the file of this ID is fetched, by the files of its message; `undefined` where they do not say. */
export function addressAmong(files: unknown, id: string): string | undefined {
	return (Array.isArray(files) ? files : []).map(file => storedFile(file, 'assistant')).find(file => file?.id === id)?.url;
}

function textIn(value: unknown, longest: number): string | undefined {
	return typeof value === 'string' && value !== '' && value.length <= longest ? value : undefined;
}

/** What an address calls its file; `file` where it has no name. */
function nameIn(url: string): string {
	const { pathname } = URL.canParse(url, 'https://service') ? new URL(url, 'https://service') : { pathname: '' };
	try {
		return path.posix.basename(decodeURIComponent(pathname)) || 'file';
	} catch {
		return 'file';
	}
}
