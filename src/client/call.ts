import type { ChatRequest } from '#contract/chat.ts';
import type { DebugRequest } from '#contract/debugging.ts';
import type { Endpoint } from '#contract/endpoints/endpoint.ts';
import type { Operation } from '#contract/endpoints/endpoints.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';

/** One use of an operation, as data. Its limits are checked before the request is built (limits.ts). */
export interface Call {
	readonly operation: Operation;
	/** Values of the placeholders in the path, in their order, by the names that messages have for them. */
	readonly path?: Readonly<Record<string, string>>;
	readonly query?: Readonly<Record<string, unknown>>;
	readonly body?: Readonly<Record<string, unknown>>;
	/** Headers that this call alone has. */
	readonly headers?: Readonly<Record<string, string>>;
	/** A file to send with the fields of `body`, which is `multipart/form-data` then. */
	readonly file?: UploadSource;
	/** The response is a stream of events. */
	readonly stream?: boolean;
}

/** A call within its limits, with its defaults filled in. */
export interface CheckedCall extends Call {
	readonly endpoint: Endpoint;
}

/** A file to send: its name (the last part of its path, no folders) and its bytes. */
export interface UploadSource {
	readonly name: string;
	readonly data: Uint8Array;
	/** Media type, default `application/octet-stream`. */
	readonly type?: string;
}

/** A body some of whose fields the method fills in (`Omit` would lose all fields of a type that lets others pass). */
type Without<T, K extends keyof T> = { [F in keyof T as string extends F ? never : F extends K ? never : F]: T[F] } & {
	[F in K]?: T[F];
} & {
	[field: string]: unknown;
};

/** Body of a run; the method says its mode. */
export type RunInput = Without<WorkflowRunRequest, 'response_mode'>;
/** Body of a debugged run; it is always streamed. */
export type DebugInput = Without<DebugRequest, 'response_mode'>;
/** Body of a chat turn; the method says its mode. */
export type ChatInput = Without<ChatRequest, 'response_mode'>;
