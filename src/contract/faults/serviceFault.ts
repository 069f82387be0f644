import { formatMessage, type LocalizableMessage } from '#base/text/localizableMessage.ts';
import { type FaultReason, getFaultKind } from './faultKinds.ts';

/** Details of an error besides its status and message. */
export interface FaultDetails {
	/**
	 * Code in the caller's protocol: Dify's `code`, Anthropic's error `type`, Google's `status`, OpenAI's `code` (null for none). By default,
	 * the code that belongs to the status.
	 */
	readonly code?: string | null;
	/** Name of the invalid field (A and B, wire facts 1.6; OpenAI's `param`). */
	readonly params?: string;
	/** Google's list of `details` (E; wire facts 4.3), or Anthropic's object, which its SDK uses to distinguish errors (C). */
	readonly details?: readonly unknown[] | Readonly<Record<string, unknown>>;
	readonly headers?: Readonly<Record<string, string>>;
	/** By default, the reason that belongs to the status. */
	readonly reason?: FaultReason;
	readonly cause?: unknown;
}

/**
 * Response header with the error's message as template and values, encoded by `encodeMessage`; the body has the same message in English.
 */
export const messageHeader = 'x-agent-workbench-message';

/**
 * Error that routes throw to refuse a request: an HTTP status and a message that the user can act on. The server writes it in the caller's
 * protocol (see `errorBody`). Never contains a key.
 */
export class ServiceFault extends Error {
	override readonly name = 'ServiceFault';
	readonly status: number;
	/** Reason for the error, independent of HTTP, for example for a node's error strategy. */
	readonly reason: FaultReason;
	readonly details: FaultDetails;
	/** The message as template and values, for clients that translate it; undefined if it's another service's text. */
	readonly localizable: LocalizableMessage | undefined;

	constructor(status: number, message: string | LocalizableMessage, details: FaultDetails = {}) {
		const text = typeof message === 'string' ? message : formatMessage(message);
		super(text, details.cause === undefined ? undefined : { cause: details.cause });
		this.localizable = typeof message === 'string' ? undefined : message;
		this.status = status;
		this.reason = details.reason ?? getFaultKind(status).reason;
		this.details = details;
	}
}
