import { guardedRequest } from '#network/guardedRequest.ts';
import { NodeError } from '../nodes/nodeType.ts';
import type { EngineServices } from '../run/engineTypes.ts';
import { type FileValue, nameOfFile } from './fileValue.ts';

/** Bytes and milliseconds of a file that is only named by its address. */
const maxBytes = 15 * 1024 * 1024;
const timeoutMs = 30_000;

/** What is in a file, and what the service that it was fetched from calls it (its `content-type`). */
interface FileContent {
	readonly bytes: Uint8Array;
	readonly contentType?: string;
}

/** What is in a file, wherever it is: uploaded, kept from a reply, in a `data:` address, or at an address to fetch. @throws {NodeError} */
export async function fileContent(
	file: FileValue,
	services: Pick<EngineServices, 'files' | 'settings'>,
	signal: AbortSignal,
): Promise<FileContent> {
	if (file.related_id) {
		return { bytes: await services.files.read(file.related_id, signal) };
	}
	if (!file.url || !URL.canParse(file.url)) {
		throw new NodeError(`The file "${nameOfFile(file)}" has neither an upload nor an address`, 'FileDownloadError');
	}
	const url = new URL(file.url);
	if (url.protocol === 'data:') {
		return { bytes: Buffer.from(file.url.slice(file.url.indexOf(',') + 1), 'base64') };
	}
	try {
		const { status, headers, body } = await guardedRequest({
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
			maxBytes: () => maxBytes,
			signal,
		});
		if (status !== 200) {
			throw new Error(`the answer has status ${status}`);
		}
		const contentType = headers['content-type'];
		return { bytes: body, ...(contentType !== undefined && { contentType }) };
	} catch (cause) {
		signal.throwIfAborted();
		throw new NodeError(
			`The file "${nameOfFile(file)}" cannot be fetched from ${url.origin}: ${(cause as Error).message}`,
			'FileDownloadError',
			{
				cause,
			},
		);
	}
}
