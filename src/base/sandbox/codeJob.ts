/** Limits for each call that a thread runs. */
export interface CodeLimits {
	/** Time limit of a call in milliseconds. */
	readonly timeoutMs: number;
	/** Memory limit of QuickJS in bytes, for code, inputs and all values of a call. At least 16 MB, and a multiple of 64 KB. */
	readonly memoryBytes: number;
}

/** A call that is sent to a thread. */
export interface CodeJob {
	/** JavaScript that defines `main`. */
	readonly source: string;
	/** Argument of `main`, as JSON. */
	readonly inputs: string;
	/** Time in milliseconds and seed of a program whose result must be repeatable. If absent, both are real. */
	readonly fixed?: { readonly time: number; readonly seed: number };
}

/** Result of a call. */
export type CodeReply = CodeOutcome & {
	/** True if the thread can't be reused, because QuickJS is in a broken state or holds much memory, which it never frees. */
	readonly spent?: boolean;
};

/** Result of `main` as JSON (`undefined` for none), or an error message. */
export type CodeOutcome = { readonly result: string | undefined } | { readonly error: string };

/** Message from a thread: `ready` once, then one reply per call. */
export type ThreadMessage = 'ready' | CodeReply;

/** Creates the error message for a call that has exceeded its time limit. */
export function formatTimeout({ timeoutMs }: Pick<CodeLimits, 'timeoutMs'>): string {
	return `The code didn't finish within ${timeoutMs / 1000} seconds`;
}
