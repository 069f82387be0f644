import type { ThreadPool } from '#base/threads/threadPool.ts';
import type { ComparedCalls } from './matchCalls.ts';

/** Work of checks that runs in threads, because a user's file or a service's reply can make it take arbitrarily long. */
export interface CheckTaskInputs {
	/** Tests if a regular expression matches. */
	readonly matches: { readonly pattern: string; readonly flags: string; readonly text: string };
	/** Validates a value against a JSON schema. */
	readonly schema: { readonly schema: unknown; readonly value: unknown };
	/** Computes the similarity of two strings, from 0 to 1. */
	readonly similar: { readonly to: string; readonly text: string };
	/** Counts the calls that match the expected ones. */
	readonly trajectory: ComparedCalls;
	/** Runs a program's `main`; inputs are JSON. */
	readonly expression: { readonly source: string; readonly inputs: string };
}

export interface CheckTaskOutputs {
	readonly matches: boolean;
	/** Errors without a final period, each with the path in the value. */
	readonly schema: readonly string[];
	readonly similar: number;
	readonly trajectory: number;
	readonly expression: unknown;
}

export type CheckThreads = Pick<ThreadPool<CheckTaskInputs, CheckTaskOutputs>, 'run'>;
