import { open, readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { localizable } from '#base/text/localizableMessage.ts';
import { endpoints } from '#contract/endpoints/endpoints.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { UploadedFile } from '#contract/uploads.ts';
import type { DifyAgents } from '../dify/difyAgents.ts';
import { createRoute, type Route } from '../server/route.ts';
import type { UploadRow, UploadStore } from '../store/uploadStore.ts';
import { type ReceivedUpload, receiveUpload } from '../uploads/receiveUpload.ts';
import { getEndUserId, toUnixSeconds } from './runViews.ts';

/**
 * Routes to upload a file for runs and to download one (not in the contract; wire facts 1.1). Files for a remote agent's `model` go to its
 * Dify deployment.
 */
export function createUploadRoutes(uploads: UploadStore, dify: DifyAgents): readonly Route[] {
	return [
		createRoute(endpoints.uploadFile, async exchange => {
			const upload = await receiveUpload(exchange.request, uploads);
			const agent = dify.get(exchange.target.agent ?? upload.fields['model'] ?? '');
			if (agent) {
				const { contentType, body } = await buildForm(upload, uploads);
				await uploads.discardBytes(upload.row.id);
				await dify.uploadFile(agent, exchange, contentType, body);
				return;
			}
			if (upload.row.user === '') {
				await uploads.discardBytes(upload.row.id);
				throw new ServiceFault(400, 'Arg user must be provided.', { params: 'user' });
			}
			try {
				uploads.add(upload.row);
			} catch (error) {
				await uploads.discardBytes(upload.row.id);
				throw error;
			}
			exchange.sendJson(201, toUploadedFile(upload.row));
		}),
		createRoute(endpoints.getUpload, async exchange => {
			const row = uploads.get(exchange.params['id'] ?? '');
			const file = row && (await open(uploads.getUploadPath(row.id)).catch(() => undefined));
			if (!file) {
				throw new ServiceFault(404, localizable`No file has this ID.`, { code: 'file_not_found' });
			}
			// without a length, because the file may have changed on disk, and the next response would be read as part of this one
			exchange.response.writeHead(200, {
				'content-type': row.mime_type,
				'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(row.name)}`,
				'x-content-type-options': 'nosniff',
			});
			await pipeline(file.createReadStream(), exchange.response).catch((error: unknown) => {
				if (!exchange.response.destroyed) {
					throw error;
				}
			});
		}),
	];
}

function toUploadedFile(row: UploadRow): UploadedFile {
	return {
		id: row.id,
		name: row.name,
		size: row.size,
		extension: row.extension,
		mime_type: row.mime_type,
		created_by: getEndUserId(row.user),
		created_at: toUnixSeconds(row.created_at),
		preview_url: null,
	};
}

async function buildForm({ row }: ReceivedUpload, uploads: UploadStore): Promise<{ readonly contentType: string; readonly body: Buffer }> {
	const form = new FormData();
	form.set('user', row.user);
	form.set('file', new Blob([await readFile(uploads.getUploadPath(row.id))], { type: row.mime_type }), row.name);
	const response = new Response(form);
	return { contentType: response.headers.get('content-type') ?? '', body: Buffer.from(await response.arrayBuffer()) };
}
