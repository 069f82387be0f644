import * as z from 'zod';
import { timestamp } from './ranges.ts';

/** A file uploaded for runs (`POST /v1/agent/files/upload`, wire facts 1.1); `id` is the `upload_file_id` of file objects. */
export const createUploadedFileSchema = () =>
	z.looseObject({
		id: z.string(),
		name: z.string(),
		/** Bytes. */
		size: z.int(),
		extension: z.string().nullable(),
		mime_type: z.string().nullable(),
		created_by: z.union([z.string(), z.number()]).nullable().exactOptional(),
		created_at: timestamp,
	});
export type UploadedFile = z.infer<ReturnType<typeof createUploadedFileSchema>>;
