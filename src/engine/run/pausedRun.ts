import type { FormAction, FormInput } from '#contract/humanInput.ts';
import type { Citation } from '../knowledge/citations.ts';
import type { ResponseState } from './level/responseStream.ts';

/** Form that a person has to submit before a run continues (DSL additions, "human-input"). */
export interface HumanForm {
	/** Markdown; inputs are placeholders of the form `{{#$output.NAME#}}`. */
	readonly content: string;
	/** Inputs as in the agent file, with options from variables filled in. */
	readonly inputs: readonly FormInput[];
	readonly actions: readonly FormAction[];
	/** Initial values of inputs that take them from a variable, by input. */
	readonly defaults: Readonly<Record<string, unknown>>;
	/** True if the form can be submitted here, not only by mail. */
	readonly shown: boolean;
	/** Expiry in seconds since 1970. */
	readonly expires: number;
}

/** Response to a form: the chosen action and the inputs (files as file objects), or its expiry. */
export type FormAnswer = { readonly action: string; readonly inputs: Readonly<Record<string, unknown>> } | { readonly timeout: true };

/** A node that waits for a person. */
export interface WaitingNode {
	readonly node: string;
	readonly predecessor: string | null;
	readonly form: HumanForm;
	readonly formId: string;
	/** Unguessable token that identifies the form when a caller submits it. */
	readonly token: string;
	/** Time of the request in milliseconds since 1970. */
	readonly askedAt: number;
}

/**
 * A paused run: everything needed to resume, as plain JSON. It doesn't contain environment variables, because these may be secret; they
 * are read from the agent again. Only valid for the agent that created it.
 */
export interface PausedRun {
	/** ID of the node that the run started from. */
	readonly root: string;
	/** Start time of the run in seconds since 1970. */
	readonly createdAt: number;
	/** Seconds that the run has been active. */
	readonly elapsed: number;
	readonly tokens: number;
	readonly steps: number;
	/** Number of steps, including those in iterations, which count toward the limit. */
	readonly allSteps: number;
	readonly exceptions: number;
	/** Knowledge segments given to models so far. */
	readonly citations?: readonly Citation[];
	/** Number of nodes started so far, as counted in events. */
	readonly lastIndex: number;
	readonly outputs: Readonly<Record<string, unknown>>;
	/** Values by node, including `conversation` and `sys`. */
	readonly variables: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
	/** Finished nodes in order, with their chosen output handles. */
	readonly left: readonly LeftNode[];
	readonly texts: ResponseState;
	readonly waiting: readonly WaitingNode[];
}

/** A finished node. Without `handle`, all of its edges were taken. */
export interface LeftNode {
	readonly node: string;
	readonly handle?: string;
}
