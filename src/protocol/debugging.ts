import * as z from 'zod';

/**
 * A debugged run on the built-in gateway (beyond the contract). `POST /v1/agent/workflows/debug` starts it and answers with the run's event stream, in
 * which the events below come between those of the run. Commands are posted to `/v1/agent/workflows/debug/{session_id}` with the session's own key in
 * the header `x-debug-key`. The session ends with the stream: the run is stopped then.
 */

/** Where a run stops, or what it tells there. `node` is the ID of a node; it counts in every round of a container. */
export const breakpointSchema = z.strictObject({
	id: z.string().min(1).describe('Names it in `debug_stopped`; chosen by the client.'),
	node: z.string().min(1),
	condition: z
		.string()
		.optional()
		.describe('JavaScript over `nodes`, `inputs`, `item`, `index`, `env`, `conversation`, `sys`: stops where it is true.'),
	hit_condition: z.string().optional().describe('A number, or a comparison such as `> 3` or `% 2`: counted where the condition holds.'),
	log_message: z.string().optional().describe('Told in place of a stop; expressions stand in braces.'),
});
export type DebugBreakpoint = z.infer<typeof breakpointSchema>;

/** Failures that stop a run: `node` each before its retry and strategy; `run` those that end the run. */
export const failureStops = ['node', 'run'] as const;

/** What is added to the body of a draft run. */
export const debugOptionsSchema = z.strictObject({
	stop_on_entry: z.boolean().optional(),
	breakpoints: z.array(breakpointSchema).max(1000).optional(),
	failures: z.array(z.enum(failureStops)).optional(),
});
export type DebugOptions = z.infer<typeof debugOptionsSchema>;

const branch = z.number().int().describe('ID of a branch, of `debug_stopped`.');
/** Index into the branch's frames, from the innermost, 0. */
const frame = z.number().int().min(0).optional();

/** Body of a command. */
export const debugCommandSchema = z.discriminatedUnion('command', [
	z.strictObject({ command: z.literal('continue') }),
	z.strictObject({ command: z.literal('step'), branch, how: z.enum(['over', 'into', 'out']) }),
	z.strictObject({ command: z.literal('pause') }),
	z
		.strictObject({ command: z.literal('restart'), branch })
		.describe('Runs the node of a branch again that stands at its failure or its end.'),
	z.strictObject({
		command: z.literal('set_breakpoints'),
		breakpoints: z.array(breakpointSchema).max(1000),
		failures: z.array(z.enum(failureStops)),
	}),
	z.strictObject({ command: z.literal('scopes'), branch, frame }),
	z.strictObject({
		command: z.literal('variables'),
		branch,
		frame,
		path: z
			.array(z.union([z.string(), z.number()]))
			.min(1)
			.describe('A scope, then keys and indexes.'),
		start: z.number().int().min(0).optional(),
		count: z.number().int().min(1).max(1000).optional(),
	}),
	z.strictObject({
		command: z.literal('set_variable'),
		branch,
		frame,
		path: z.array(z.union([z.string(), z.number()])).min(2),
		value: z.unknown().describe('JSON; checked against the type of the variable.'),
	}),
	z.strictObject({
		command: z.literal('evaluate'),
		branch,
		frame,
		expression: z.string().max(10_000).describe('`{{#node.var#}}`, a selector, JavaScript, or a template.'),
	}),
	z.strictObject({ command: z.literal('complete'), branch, frame, text: z.string().max(10_000), column: z.number().int().min(0) }),
]);
export type DebugCommand = z.infer<typeof debugCommandSchema>;

/** One level of where a branch stands: the node itself, then the containers around it with their rounds, then the agent. */
export interface DebugFrame {
	readonly kind: 'node' | 'container' | 'agent';
	/** Node ID; that of the container for `container`, absent for `agent`. */
	readonly node?: string;
	readonly title: string;
	/** Round, from 0. */
	readonly round?: number;
}

/** A branch of a stopped run: `standing` before (or after the failure of) a node, or `ending` while work in flight goes on to its end. */
export interface DebugBranch {
	readonly id: number;
	readonly state: 'standing' | 'ending';
	/** From the innermost. */
	readonly frames: readonly DebugFrame[];
}

export type DebugStopReason = 'entry' | 'breakpoint' | 'step' | 'pause' | 'failure';

/** Events of the session between those of the run. */
export type DebugEvent =
	/** The first. */
	| { readonly event: 'debug_session'; readonly data: { readonly session_id: string; readonly key: string } }
	/** No node starts until a command says so. Comes again, with the same `branch`, where work in flight has ended since. */
	| {
			readonly event: 'debug_stopped';
			readonly data: {
				readonly reason: DebugStopReason;
				/** The branch that stopped it. */
				readonly branch: number;
				readonly branches: readonly DebugBranch[];
				/** Breakpoints that hold there. */
				readonly breakpoints?: readonly string[];
				/** Of a failure. */
				readonly error?: string;
			};
	  }
	| { readonly event: 'debug_continued'; readonly data: { readonly branch?: number } }
	/** A log message, or what is wrong with a condition. */
	| {
			readonly event: 'debug_output';
			readonly data: { readonly node: string; readonly breakpoint: string; readonly text: string; readonly fault?: boolean };
	  };

/** A value as it is listed: `children` says how many keys or items it has, 0 for plain ones. */
export interface DebugVariable {
	readonly name: string;
	/** One line, cut where it is long. */
	readonly text: string;
	readonly type: string;
	readonly children: number;
	/** To be asked for, set and watched by; absent where it has none. */
	readonly path?: readonly (string | number)[];
	readonly settable: boolean;
}

/** Answers by command; others are `{result: "success"}`. */
export interface DebugAnswers {
	scopes: { scopes: { name: string; path: readonly string[]; children: number; expensive?: boolean }[] };
	variables: { variables: DebugVariable[]; total: number };
	set_variable: DebugVariable;
	evaluate: DebugVariable;
	complete: { items: { label: string; detail?: string; start: number; length: number }[] };
}
