import { formatMessage, type LocalizableMessage } from '#base/text/localizableMessage.ts';
import { type FaultReason, faultKind } from './faultKinds.ts';

/** What a fault carries beyond its status and sentence. */
export interface FaultDetails {
	/**
	 * In the caller's protocol: Dify's `code`, Anthropic's error `type`, Google's `status`, OpenAI's `code`, which can be null for none. By
	 * default what the status stands for there.
	 */
	readonly code?: string | null;
	/** Name of the field at fault (A and B, wire facts 1.6; OpenAI's `param`). */
	readonly params?: string;
	/** Google's list of `details` (E; wire facts 4.3), or Anthropic's object, by which its SDK tells some errors apart (C). */
	readonly details?: readonly unknown[] | Readonly<Record<string, unknown>>;
	readonly headers?: Readonly<Record<string, string>>;
	/** By default what the status stands for. */
	readonly reason?: FaultReason;
	readonly cause?: unknown;
}

/**
 * Response header with the error's message as template and values, encoded by `encodeMessage`; the body has the same message in English.
 */
export const messageHeader = 'x-agent-workbench-message';

/**
 * What a route throws to refuse a request: an HTTP status and a sentence that a user can act on. The server writes it in the form of the
 * caller's protocol (see `errorBody`). Never holds a key.
 */
export class ServiceFault extends Error {
	override readonly name = 'ServiceFault';
	readonly status: number;
	/** What went wrong, for those who do not speak HTTP, such as a node's error strategy. */
	readonly reason: FaultReason;
	readonly details: FaultDetails;
	/** The message with its values apart, for clients that translate it; undefined if it is another service's text. */
	readonly localizable: LocalizableMessage | undefined;

	constructor(status: number, message: string | LocalizableMessage, details: FaultDetails = {}) {
		const text = typeof message === 'string' ? message : formatMessage(message);
		super(text, details.cause === undefined ? undefined : { cause: details.cause });
		this.localizable = typeof message === 'string' ? undefined : message;
		this.status = status;
		this.reason = details.reason ?? faultKind(status).reason;
		this.details = details;
	}
}
