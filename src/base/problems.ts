import type { OfferedCommand } from './commandIds.ts';

/** What mends a problem: a command of ours or the editor's, with the words for its button. */
export interface Remedy {
	readonly title: string;
	readonly command: OfferedCommand;
	readonly arguments?: readonly unknown[];
}

/**
 * Error that a user can act on: `reason` is for code, `message` one sentence that says what happened and to what, `remedy` the
 * action that mends it. Never holds a key.
 */
export class Problem extends Error {
	override readonly name = 'Problem';
	readonly reason: string;
	readonly remedy: Remedy | undefined;
	/** The sentence where it is plain what it is about, below the node of a connection say; default: `message`. */
	readonly here: string;

	constructor(reason: string, message: string, remedy?: Remedy, { here, ...options }: ErrorOptions & { here?: string } = {}) {
		super(message, options);
		this.reason = reason;
		this.remedy = remedy;
		this.here = here ?? message;
	}
}

/** The sentence of an error, whatever was thrown. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** The sentence of an error where it is plain what it is about. By name, as {@link remedyOf}. */
export function messageHereOf(error: unknown): string {
	return error instanceof Error && error.name === 'Problem' ? (error as Problem).here : messageOf(error);
}

/** Machine-readable reason of a {@link Problem} or of the client's ServiceError (told by name: it comes from another bundle). */
export function reasonOf(error: unknown): string | undefined {
	const reason = error instanceof Error && 'reason' in error ? error.reason : undefined;
	return typeof reason === 'string' ? reason : undefined;
}

/** Whether an error only says that the user, or the end of the window, called something off. */
export function isCancellation(error: unknown): boolean {
	const name = error instanceof Error ? error.name : '';
	return name === 'Canceled' || name === 'CancellationError' || name === 'AbortError' || reasonOf(error) === 'aborted';
}

/** What mends an error, where it says so. By name: a {@link Problem} can come from another bundle, where it is another class. */
export function remedyOf(error: unknown): Remedy | undefined {
	return error instanceof Error && error.name === 'Problem' ? (error as Problem).remedy : undefined;
}
