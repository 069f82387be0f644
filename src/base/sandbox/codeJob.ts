/** Limits for all calls of a thread. */
export interface CodeLimits {
	/** Time limit of a call in milliseconds. */
	readonly timeoutMs: number;
	/** Memory limit of QuickJS in bytes, for code, inputs and all values of a call. At least 16 MB, a multiple of 64 KB. */
	readonly memoryBytes: number;
}

/** A call sent to a thread. */
export interface CodeJob {
	/** JavaScript that defines `main`. */
	readonly source: string;
	/** Argument of `main`, as JSON. */
	readonly inputs: string;
}

/** Result of a call. */
export type CodeReply = CodeOutcome & {
	/** The thread can't be reused: QuickJS is in a broken state, or holds much memory, which it never frees. */
	readonly spent?: boolean;
};

/** Result of `main` as JSON (`undefined` for none), or why it failed. */
export type CodeOutcome = { readonly result: string | undefined } | { readonly error: string };

/** Message from a thread: that it's ready, then one reply per call. */
export type ThreadMessage = 'ready' | CodeReply;

/** Message for a call that exceeded its time. */
export function formatTimeout({ timeoutMs }: Pick<CodeLimits, 'timeoutMs'>): string {
	return `The code didn't finish within ${timeoutMs / 1000} seconds`;
}
