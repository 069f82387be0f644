/** Maximum size of a file sent to the host, in bytes. The host has lower limits and reports files that exceed them. */
const byteLimit = 25 * 1024 * 1024;

/** A pasted or dropped file in Base64; `data` is absent if the file is too large. */
interface ReadFile {
	readonly name: string;
	readonly mimeType: string;
	readonly data?: string;
}

/** Reads pasted or dropped files one by one. */
export async function* readFiles(files: readonly File[]): AsyncIterable<ReadFile> {
	for (const file of files) {
		const name = file.name || file.type || 'file';
		yield file.size > byteLimit
			? { name, mimeType: file.type }
			: { name, mimeType: file.type || 'application/octet-stream', data: encodeBase64(new Uint8Array(await file.arrayBuffer())) };
	}
}

/** Returns the URIs of files that were dragged from VS Code's Explorer or tabs. */
export function getDroppedUris(transfer: DataTransfer | null): string[] {
	const list = transfer?.getData('application/vnd.code.uri-list') || transfer?.getData('text/uri-list') || '';
	return list.split(/\r?\n/).filter(line => line !== '' && !line.startsWith('#'));
}

function encodeBase64(bytes: Uint8Array): string {
	let binary = '';
	// convert in chunks, because a call can take a limited number of arguments
	for (let at = 0; at < bytes.length; at += 0x8000) {
		binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
	}
	return btoa(binary);
}
