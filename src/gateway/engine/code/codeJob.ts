/** One call, as it is sent to a thread. */
export interface CodeJob {
	readonly id: number;
	/** JavaScript that defines `main`. */
	readonly source: string;
	/** Argument of `main` as JSON. */
	readonly inputs: string;
	readonly timeoutMs: number;
	readonly memoryBytes: number;
}

/** What came of it. */
export type CodeReply = CodeOutcome & {
	readonly id: number;
	/** The thread cannot be used again: QuickJS is in a state that it cannot leave. */
	readonly broken?: boolean;
};

/** What `main` returned, as JSON (`undefined`: nothing), or why it failed. */
export type CodeOutcome = { readonly result: string | undefined } | { readonly error: string };
