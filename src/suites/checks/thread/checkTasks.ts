import type { ThreadPool } from '#base/threads/threadPool.ts';

/** What checks have done in threads, as a user's file or a service's text can make it arbitrarily long. */
export interface CheckTaskInputs {
	/** Whether a regular expression matches somewhere. */
	readonly matches: { readonly pattern: string; readonly flags: string; readonly text: string };
	/** What of a value does not fit a JSON schema. */
	readonly schema: { readonly schema: unknown; readonly value: unknown };
	/** How like two texts are, from 0 to 1. */
	readonly similar: { readonly to: string; readonly text: string };
	/** What a program's `main` gives for inputs, both as JSON. */
	readonly expression: { readonly source: string; readonly inputs: string };
}

export interface CheckTaskOutputs {
	readonly matches: boolean;
	/** Half sentences, each with the place in the value. */
	readonly schema: readonly string[];
	readonly similar: number;
	readonly expression: unknown;
}

/** Threads that do them. */
export type CheckThreads = Pick<ThreadPool<CheckTaskInputs, CheckTaskOutputs>, 'run'>;
