/** What holds for all calls of a thread. */
export interface CodeLimits {
	/** Milliseconds one call may take. */
	readonly timeoutMs: number;
	/** Bytes of memory that QuickJS may have: code, inputs and all values of a call. At least 16 MB, in whole pages of 64 KB. */
	readonly memoryBytes: number;
}

/** One call, as it is sent to a thread. */
export interface CodeJob {
	/** JavaScript that defines `main`. */
	readonly source: string;
	/** Argument of `main` as JSON. */
	readonly inputs: string;
}

/** What came of it. */
export type CodeReply = CodeOutcome & {
	/** The thread is not to be used again: QuickJS is in a state that it cannot leave, or holds much memory, which it never gives back. */
	readonly spent?: boolean;
};

/** What `main` returned, as JSON (`undefined`: nothing), or why it failed. */
export type CodeOutcome = { readonly result: string | undefined } | { readonly error: string };

/** What a thread sends: that it can begin, then one reply a call. */
export type ThreadMessage = 'ready' | CodeReply;

/** The text for a call that is over its time, whoever notices. */
export function timeoutText({ timeoutMs }: Pick<CodeLimits, 'timeoutMs'>): string {
	return `The code did not end within ${timeoutMs / 1000} seconds, the most it may take`;
}
