import type { ChatRequest } from '#contract/chat.ts';
import type { DebugRequest } from '#contract/debugging.ts';
import type { Endpoint } from '#contract/endpoints/endpoint.ts';
import type { Operation } from '#contract/endpoints/endpoints.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';

/** One call of an operation, as data. Its limits are checked before the request is built (limits.ts). */
export interface Call {
	readonly operation: Operation;
	/** Values of the path's placeholders, in order, by the names that messages use for them. */
	readonly path?: Readonly<Record<string, string>>;
	readonly query?: Readonly<Record<string, unknown>>;
	readonly body?: Readonly<Record<string, unknown>>;
	/** Headers of this call only. */
	readonly headers?: Readonly<Record<string, string>>;
	/** A file to send with the fields of `body`, as `multipart/form-data`. */
	readonly file?: UploadSource;
	/** The response is a stream of events. */
	readonly stream?: boolean;
}

/** A call that passed the limit checks, with defaults filled in. */
export interface CheckedCall extends Call {
	readonly endpoint: Endpoint;
}

/** A file to send: its name (without folders) and its bytes. */
export interface UploadSource {
	readonly name: string;
	readonly data: Uint8Array;
	/** Media type, default `application/octet-stream`. */
	readonly type?: string;
}

/** A body without the fields that the method fills in. (`Omit` would drop all fields of a type with an index signature.) */
type Without<T, K extends keyof T> = { [F in keyof T as string extends F ? never : F extends K ? never : F]: T[F] } & {
	[F in K]?: T[F];
} & {
	[field: string]: unknown;
};

/** Body of a run; the method sets its mode. */
export type RunInput = Without<WorkflowRunRequest, 'response_mode'>;
/** Body of a debug run; it is always streamed. */
export type DebugInput = Without<DebugRequest, 'response_mode'>;
/** Body of a chat turn; the method sets its mode. */
export type ChatInput = Without<ChatRequest, 'response_mode'>;
