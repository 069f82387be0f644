/** Most bytes of a file that is handed to the host; its own limits are lower and say why. */
const byteLimit = 25 * 1024 * 1024;

/** A file that was pasted or dropped, base64; `data` is absent where it is too large. */
interface ReadFile {
	readonly name: string;
	readonly mimeType: string;
	readonly data?: string;
}

/** Reads pasted or dropped files one after the other. */
export async function* readFiles(files: readonly File[]): AsyncIterable<ReadFile> {
	for (const file of files) {
		const name = file.name || file.type || 'file';
		yield file.size > byteLimit
			? { name, mimeType: file.type }
			: { name, mimeType: file.type || 'application/octet-stream', data: base64(new Uint8Array(await file.arrayBuffer())) };
	}
}

/** URIs of files dragged from the editor's own explorer or tabs. */
export function droppedUris(transfer: DataTransfer | null): string[] {
	const list = transfer?.getData('application/vnd.code.uri-list') || transfer?.getData('text/uri-list') || '';
	return list.split(/\r?\n/).filter(line => line !== '' && !line.startsWith('#'));
}

function base64(bytes: Uint8Array): string {
	let binary = '';
	// in pieces: a call takes only so many arguments
	for (let at = 0; at < bytes.length; at += 0x8000) {
		binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
	}
	return btoa(binary);
}
