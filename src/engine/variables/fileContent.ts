import { NodeError } from '../nodes/nodeError.ts';
import { type EngineServices, sendRequest } from '../run/engineTypes.ts';
import { type FileValue, getFileName } from './fileValue.ts';

/** Maximum size in bytes, and time limit in milliseconds, for a file that is fetched from its URL. */
const maxBytes = 15 * 1024 * 1024;
const timeoutMs = 30_000;

/** Maximum size in megabytes of all files that a node sends: the largest upload and others. */
const maxNodeMegabytes = 128;

/** Counts the files that a node sends. Throws a {@link NodeError} if they would fill the memory: a list can contain one file many times. */
export class FilesSize {
	#bytes = 0;

	/** Returns the counted file. */
	add<T extends Uint8Array>(file: T): T {
		this.#bytes += file.length;
		if (this.#bytes > maxNodeMegabytes * 1024 * 1024) {
			throw new NodeError(`The files are larger than ${maxNodeMegabytes} MB in total, the limit for a node`, 'FileSizeError');
		}
		return file;
	}
}

/** Content of a file, and the `content-type` sent by the server that it was fetched from. */
interface FileContent {
	readonly bytes: Uint8Array;
	readonly contentType?: string;
}

/** Reads the content of a file: an upload, a file saved from a response, a `data:` URL, or a URL to fetch. @throws {NodeError} */
export async function readFileContent(
	file: FileValue,
	services: Pick<EngineServices, 'files' | 'settings' | 'http'>,
	signal: AbortSignal,
): Promise<FileContent> {
	if (file.related_id) {
		return { bytes: await services.files.readUpload(file.related_id, signal) };
	}
	if (!file.url || !URL.canParse(file.url)) {
		throw new NodeError(`The file '${getFileName(file)}' has neither an uploaded file nor a URL`, 'FileDownloadError');
	}
	const url = new URL(file.url);
	if (url.protocol === 'data:') {
		return { bytes: Buffer.from(file.url.slice(file.url.indexOf(',') + 1), 'base64') };
	}
	try {
		const { status, headers, body } = await sendRequest(services, {
			url,
			method: 'GET',
			headers: {},
			secretHeaders: new Set(),
			body: undefined,
			network: services.settings.network,
			allowPrivateNetwork: services.settings.allowPrivateNetwork,
			verifyCertificates: true,
			connectTimeoutMs: timeoutMs,
			readTimeoutMs: timeoutMs,
			getMaxBytes: () => maxBytes,
			signal,
		});
		if (status !== 200) {
			throw new Error(`the response has status ${status}`);
		}
		const contentType = headers['content-type'];
		return { bytes: body, ...(contentType !== undefined && { contentType }) };
	} catch (cause) {
		signal.throwIfAborted();
		throw new NodeError(
			`Couldn't fetch the file '${getFileName(file)}' from ${url.origin}: ${(cause as Error).message}`,
			'FileDownloadError',
			{
				cause,
			},
		);
	}
}
