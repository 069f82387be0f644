import type { FormAction, FormInput } from '#contract/humanInput.ts';
import type { Citation } from '../knowledge/citations.ts';
import type { ResponseState } from './level/responseStream.ts';

/** Form that a person has to fill in before a run goes on (DSL additions, "human-input"). */
export interface HumanForm {
	/** Markdown; the places of inputs are left as `{{#$output.NAME#}}`. */
	readonly content: string;
	/** As the agent file has them; options that come from a variable are filled in. */
	readonly inputs: readonly FormInput[];
	readonly actions: readonly FormAction[];
	/** First values of inputs that take them from a variable, by input. */
	readonly defaults: Readonly<Record<string, unknown>>;
	/** Whether people answer it here, and not by mail only. */
	readonly shown: boolean;
	/** Seconds since 1970 from which on no answer is taken. */
	readonly expires: number;
}

/** What became of a form: filled in and sent off by one of its actions, files as file objects; or left alone for too long. */
export type FormAnswer = { readonly action: string; readonly inputs: Readonly<Record<string, unknown>> } | { readonly timeout: true };

/** A node that waits for a person. */
export interface WaitingNode {
	readonly node: string;
	readonly predecessor: string | null;
	readonly form: HumanForm;
	readonly formId: string;
	/** What whoever answers the form names it by; nobody can guess it. */
	readonly token: string;
	/** Milliseconds since 1970. */
	readonly askedAt: number;
}

/**
 * A run that waits: all that is needed to go on, as plain JSON. It holds no environment variables, whose values may be secret; they come
 * from the agent again. It fits the agent that it was made by.
 */
export interface PausedRun {
	/** ID of the node that the run began with. */
	readonly root: string;
	/** Seconds since 1970. */
	readonly createdAt: number;
	/** Seconds that the run has worked. */
	readonly elapsed: number;
	readonly tokens: number;
	readonly steps: number;
	/** Steps with those in rounds, which count for the limit. */
	readonly allSteps: number;
	readonly exceptions: number;
	/** Segments of knowledge that models were given so far. */
	readonly citations?: readonly Citation[];
	/** Nodes started so far, as events count them. */
	readonly lastIndex: number;
	readonly outputs: Readonly<Record<string, unknown>>;
	/** Values by node, `conversation` and `sys` included. */
	readonly variables: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
	/** Nodes that have ended, in that order, and the ways out that they chose. */
	readonly left: readonly LeftNode[];
	readonly texts: ResponseState;
	readonly waiting: readonly WaitingNode[];
}

/** A node that has ended. Without `handle`, it took all ways out. */
export interface LeftNode {
	readonly node: string;
	readonly handle?: string;
}
