import type { Timestamp } from './timestamps.ts';

/** A file that was uploaded for runs (`POST /v1/agent/files/upload`, wire facts 1.1); `id` is a file object's `upload_file_id`. */
export interface UploadedFile {
	id: string;
	name: string;
	/** Bytes. */
	size: number;
	extension: string | null;
	mime_type: string | null;
	created_by?: string | number | null;
	created_at: Timestamp;
	[field: string]: unknown;
}
