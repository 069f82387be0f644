import type { OfferedCommand } from './commandIds.ts';
import { formatMessage, type LocalizableMessage } from './text/localizableMessage.ts';

/** An action that fixes a problem: one of our commands or VS Code's, with a button label. */
export interface Remedy {
	readonly title: string;
	readonly command: OfferedCommand;
	readonly arguments?: readonly unknown[];
}

/**
 * An error that the user can act on. `reason` is for code, `message` is a sentence for users, and `remedy` is an action that fixes the
 * problem. Never contains a key.
 */
export class Problem extends Error {
	override readonly name = 'Problem';
	readonly reason: string;
	readonly remedy: Remedy | undefined;
	/** Shorter message for use when the context is clear, such as next to a connection's node. Default: `message`. */
	readonly here: string;
	/** The message as a template, if the error came from code that runs without VS Code. */
	readonly localizable: LocalizableMessage | undefined;

	constructor(
		reason: string,
		message: string | LocalizableMessage,
		remedy?: Remedy,
		{ here, ...options }: ErrorOptions & { here?: string } = {},
	) {
		const text = typeof message === 'string' ? message : formatMessage(message);
		super(text, options);
		this.reason = reason;
		this.remedy = remedy;
		this.here = here ?? text;
		this.localizable = typeof message === 'string' ? undefined : message;
	}
}

/** Returns the message of any thrown value. */
export function getErrorMessage(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** Returns an error's short message, for use when the context is clear. Recognizes a `Problem` by its name, like {@link getRemedy}. */
export function getShortErrorMessage(error: unknown): string {
	return error instanceof Error && error.name === 'Problem' ? (error as Problem).here : getErrorMessage(error);
}

/**
 * Returns the machine-readable reason of a {@link Problem}, or of the client's ServiceError, whose class can't be checked because it is in
 * another bundle.
 */
export function getErrorReason(error: unknown): string | undefined {
	const reason = error instanceof Error && 'reason' in error ? error.reason : undefined;
	return typeof reason === 'string' ? reason : undefined;
}

/** True if an error only means that something was cancelled, by the user or because the window is closing. */
export function isCancellation(error: unknown): boolean {
	const name = error instanceof Error ? error.name : '';
	return name === 'Canceled' || name === 'CancellationError' || name === 'AbortError' || getErrorReason(error) === 'aborted';
}

/** Returns the remedy of an error, if any. Checks the error's name, because a {@link Problem} from another bundle has a different class. */
export function getRemedy(error: unknown): Remedy | undefined {
	return error instanceof Error && error.name === 'Problem' ? (error as Problem).remedy : undefined;
}
