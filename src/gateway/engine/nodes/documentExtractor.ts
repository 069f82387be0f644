import * as z from 'zod';
import { documentText } from '../documents.ts';
import { type FileValue, isFileValue } from '../fileValue.ts';
import { guardedRequest } from '../net/guardedRequest.ts';
import { pythonRepr } from '../pythonText.ts';
import { type NodeContext, NodeError, nodeType } from './nodeType.ts';
import { selectorSchema } from './schemas.ts';

const schema = z.looseObject({ variable_selector: selectorSchema });
type Context = NodeContext<z.output<typeof schema>>;

/** Bytes and milliseconds of a document that is only named by its address. */
const maxBytes = 15 * 1024 * 1024;
const timeoutMs = 30_000;

/** Reads the text out of a file, or of each of a list of files. */
export const documentExtractor = nodeType({
	type: 'document-extractor',
	schema,
	async run(context) {
		const { settings, variables, record } = context;
		const value = variables.get(settings.variable_selector);
		if (value === undefined) {
			throw new NodeError(`File variable not found for selector: ${pythonRepr(settings.variable_selector)}`, 'DocumentExtractorError');
		}
		const files = Array.isArray(value) ? value : [value];
		if (!files.every(isFileValue)) {
			throw new NodeError(`Variable ${pythonRepr(settings.variable_selector)} is not a file or a list of files`, 'DocumentExtractorError');
		}
		record.inputs = { variable_selector: settings.variable_selector };
		record.processData = { documents: files };
		const texts: string[] = [];
		for (const file of files) {
			texts.push(documentText({ name: file.name, mimeType: file.mime_type, bytes: await bytesOf(file, context) }));
		}
		return { outputs: { text: Array.isArray(value) ? texts : (texts[0] ?? '') } };
	},
});

async function bytesOf(file: FileValue, { services, signal }: Context): Promise<Uint8Array> {
	if (file.related_id) {
		return services.files.read(file.related_id, signal);
	}
	if (!file.url || !URL.canParse(file.url)) {
		throw new NodeError(`The file "${file.name}" has neither an upload nor an address`, 'FileDownloadError');
	}
	const url = new URL(file.url);
	if (url.protocol === 'data:') {
		return Buffer.from(file.url.slice(file.url.indexOf(',') + 1), 'base64');
	}
	try {
		const { status, body } = await guardedRequest({
			url,
			method: 'GET',
			headers: {},
			body: undefined,
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
		return body;
	} catch (cause) {
		signal.throwIfAborted();
		throw new NodeError(`The file "${file.name}" cannot be fetched from ${url.origin}: ${(cause as Error).message}`, 'FileDownloadError', {
			cause,
		});
	}
}
