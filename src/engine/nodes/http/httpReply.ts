import type { IncomingHttpHeaders } from 'node:http';
import { extname } from 'node:path';
import type { IncomingReply } from '#network/guardedRequest.ts';
import type { EngineFiles } from '../../run/engineTypes.ts';
import type { FileValue } from '../../variables/fileValue.ts';

/**
 * Converts a response to outputs: text becomes `body`, anything else is saved as a file with the lifetime of an upload.
 * @param user owner of the file
 */
export async function buildReplyOutputs(reply: IncomingReply, files: EngineFiles, user: string): Promise<Record<string, unknown>> {
	const { status, headers, body } = reply;
	const text = isTextResponse(headers);
	return {
		status_code: status,
		body: text ? decodeBody(headers, body) : '',
		headers,
		files: text || body.length === 0 ? [] : [await storeReplyFile(reply, files, user)],
	};
}

/** True if the headers describe a text response. */
export function isTextResponse(headers: IncomingHttpHeaders): boolean {
	const type = headers['content-type']?.toLowerCase() ?? 'text/plain';
	return (
		!/^attachment/i.test(headers['content-disposition'] ?? '') &&
		/^(text\/|application\/(json|xml|javascript|x-www-form-urlencoded|yaml|x-yaml|graphql|[\w.-]+\+(json|xml)))/.test(type)
	);
}

function decodeBody(headers: IncomingHttpHeaders, body: Buffer): string {
	const charset = /charset="?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1];
	try {
		return new TextDecoder(charset).decode(body);
	} catch {
		return body.toString();
	}
}

async function storeReplyFile({ headers, body, url }: IncomingReply, files: EngineFiles, user: string): Promise<FileValue> {
	const mimeType = headers['content-type']?.split(';')[0]?.trim() || 'application/octet-stream';
	const filename = /filename="?([^";]+)/i.exec(headers['content-disposition'] ?? '')?.[1] ?? url.pathname.split('/').at(-1) ?? '';
	const kept = await files.add({ name: filename, mimeType, bytes: body, user });
	const kind = mimeType.split('/')[0] ?? '';
	return {
		dify_model_identity: '__dify__file__',
		id: null,
		type: ['image', 'audio', 'video'].includes(kind) ? kind : 'document',
		transfer_method: 'local_file',
		remote_url: null,
		reference: kept.id,
		filename,
		extension: extname(filename),
		mime_type: mimeType,
		size: body.length,
		related_id: kept.id,
		url: kept.url,
	};
}
