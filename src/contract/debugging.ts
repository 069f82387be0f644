import * as z from 'zod';
import { longestExpression } from './debugLimits.ts';
import { branch, modelCallCommands } from './debugModelCalls.ts';
import { partialRunSchema } from './partialRun.ts';
import { workflowRunRequestSchema } from './workflows.ts';

/**
 * A debugged run of a draft on the built-in gateway (not in the contract). `POST /v1/agent/workflows/debug` starts it and returns the run's
 * event stream (for a chatflow, with chat events), with the events below in between. Commands are posted to
 * `/v1/agent/workflows/debug/{session_id}` with the session's key in the header `x-debug-key`. The session ends and the run is
 * stopped when the stream ends, or when the run is paused and its client sends no command for {@link debugPatienceMs}. Idle clients send
 * `ping`.
 */

/** Milliseconds without a command after which a paused run is stopped, because its client is gone. */
export const debugPatienceMs = 60_000;

/** Limit of breakpoints per session. */
const maxBreakpoints = 10_000;

/** A point where a run stops or logs a message. `node` is a node ID. Every iteration of a container counts as a hit. */
const breakpointSchema = z.strictObject({
	id: z.string().min(1).describe('ID chosen by the client, reported in `debug_stopped`.'),
	node: z.string().min(1),
	agent: z
		.string()
		.min(1)
		.optional()
		.describe(
			'Name of an agent that the debugged agent uses as a tool. Default: the debugged agent itself, including when it calls itself.',
		),
	condition: z
		.string()
		.max(longestExpression)
		.optional()
		.describe(
			'JavaScript expression over `nodes`, `inputs`, `item`, `index`, `env`, `conversation` and `sys`. The run stops if it is true.',
		),
	hit_condition: z
		.string()
		.max(100)
		.optional()
		.describe(
			'A number (stops at that hit and every later one), or a comparison such as `== 3`, `> 3` or `% 2`. Counts hits that meet the condition.',
		),
	log_message: z.string().max(longestExpression).optional().describe('Message to log instead of stopping. Expressions go in braces.'),
});
export type DebugBreakpoint = z.infer<typeof breakpointSchema>;

/** Failures that stop a run: `node` for each failure before its retry and error strategy; `run` only for failures that end the run. */
const failureStops = ['node', 'run'] as const;
export type FailureStop = (typeof failureStops)[number];

/** Debug options added to the body of a draft run. */
const modelCalls = z.boolean().optional().describe('Stops before each model call, which can then be answered by hand.');

const debugOptionsSchema = z.strictObject({
	stop_on_entry: z.boolean().optional(),
	breakpoints: z.array(breakpointSchema).max(maxBreakpoints).optional(),
	failures: z.array(z.enum(failureStops)).optional(),
	model_calls: modelCalls,
	part: partialRunSchema
		.optional()
		.describe(
			'The part of the agent to run, as for a draft run. The run stops only at nodes that run again, and `stop_on_entry` at the first of them.',
		),
	recorded_run: z
		.string()
		.min(1)
		.optional()
		.describe(
			'ID of a saved run to show: each node ends as recorded, without calling anything, and the run pauses at its end or at the failed node.',
		),
});
export type DebugOptions = z.infer<typeof debugOptionsSchema>;

/** Body of a debugged run: a draft run's body plus {@link debugOptionsSchema}. The response is always streamed. Chatflows need `query`. */
export const debugRequestSchema = workflowRunRequestSchema.extend({
	source: z.string().optional().describe('Agent file text to run instead of the saved file.'),
	query: z.string().min(1).optional().describe('User message for a chatflow. Required for chatflows without `part` and `recorded_run`.'),
	conversation_id: z.string().optional().describe('Conversation that a chatflow run continues.'),
	...debugOptionsSchema.shape,
});
export type DebugRequest = z.infer<typeof debugRequestSchema>;

/** Index into the branch's frames; 0 is the innermost. */
const frame = z.number().int().min(0).optional();
const path = z.array(z.union([z.string(), z.number()]));

/** Body of a command. Commands that continue the run are refused with 409 if the branch isn't paused. */
export const debugCommandSchema = z.discriminatedUnion(
	'command',
	[
		z.strictObject({ command: z.literal('continue') }).describe('Continues all branches.'),
		z
			.strictObject({ command: z.literal('step'), branch, how: z.enum(['over', 'into', 'out']) })
			.describe(
				'`over` runs the node with everything inside it and stops before the next node of its branch. `into` stops before the first node inside it. `out` runs to the end of the surrounding container or tool, with all branches inside it.',
			),
		z
			.strictObject({ command: z.literal('step_back'), branch })
			.describe(
				'Goes back to the node that ran before on this branch, or to the container or tool around its first node. The run stays paused: commands that read values then read those of that time, `continue` and `step` go forward to the present first. Changes are only kept for a fork from there.',
			),
		z
			.strictObject({ command: z.literal('reverse') })
			.describe('Goes back to the latest earlier stop at a breakpoint or failure, or else to the first node.'),
		z
			.strictObject({ command: z.literal('present') })
			.describe('Returns to where the run is paused, and discards the changes that were made in the past.'),
		z
			.strictObject({ command: z.literal('fork') })
			.describe(
				'In the past, returns the `part` of a run that starts there with the changes made by `set_variable` and `restart`. `continue` and `step` are refused while there are changes.',
			),
		z.strictObject({ command: z.literal('pause') }).describe('Pauses the run: active nodes finish, no others start.'),
		z
			.strictObject({ command: z.literal('restart'), branch })
			.describe(
				'Reruns the node that `restarts` of the branch refers to, and replaces its outputs. In the past, only counts as a change for `fork`.',
			),
		z.strictObject({
			command: z.literal('set_breakpoints'),
			breakpoints: z.array(breakpointSchema).max(maxBreakpoints),
			failures: z.array(z.enum(failureStops)),
			model_calls: modelCalls,
		}),
		z.strictObject({ command: z.literal('scopes'), branch, frame }),
		z.strictObject({
			command: z.literal('variables'),
			branch,
			frame,
			path: path.min(1).describe('Path of the value: a scope, followed by keys and indexes.'),
			start: z.number().int().min(0).optional(),
			count: z.number().int().min(1).max(1000).optional(),
		}),
		z.strictObject({
			command: z.literal('set_variable'),
			branch,
			frame,
			path: path.min(2),
			value: z.unknown().describe("New value, as JSON of the variable's type."),
		}),
		z.strictObject({
			command: z.literal('evaluate'),
			branch,
			frame,
			expression: z
				.string()
				.max(longestExpression)
				.describe('Expression to evaluate: `{{#node.var#}}`, a selector, JavaScript or a template.'),
		}),
		z.strictObject({
			command: z.literal('complete'),
			branch,
			frame,
			text: z.string().max(longestExpression),
			column: z.number().int().min(0),
		}),
		...modelCallCommands,
		z.strictObject({ command: z.literal('ping') }).describe('Keeps the session alive.'),
	],
	{
		error: issue => (issue.code === 'invalid_union' ? 'expected the command of a debug session, such as continue' : undefined),
	},
);
export type DebugCommand = z.infer<typeof debugCommandSchema>;

/** One level of a branch's position: the node itself, a surrounding container with its iteration, or the agent. */
export interface DebugFrame {
	/** `tool`: a node that runs another agent as a tool; the previous frames belong to that agent. */
	readonly kind: 'node' | 'container' | 'tool' | 'agent';
	/** ID of the node or container; absent for `agent`. */
	readonly node?: string;
	readonly title: string;
	/** Iteration, counted from 0. */
	readonly round?: number;
	/** Name of the frame's agent, if the debugged agent runs it as a tool. */
	readonly agent?: string;
}

/** A branch of a stopped run: `standing` (paused before a node, at a model call, or after a failure), or `ending` while active nodes finish. */
export interface DebugBranch {
	readonly id: number;
	readonly state: 'standing' | 'ending';
	/** Innermost first. */
	readonly frames: readonly DebugFrame[];
	/** Error of a branch that is paused after the failure of its node. */
	readonly error?: string;
	/** Node that `restart` would run again, if possible. */
	readonly restarts?: { readonly node: string; readonly title: string };
	/** The model call that the branch is paused at. `number` counts the calls of the session. */
	readonly call?: { readonly number: number; readonly model: string };
}

/** `model`: before a model call. `end`: the run has ended, which only runs that show a recorded one stop at. */
export type DebugStopReason = 'entry' | 'breakpoint' | 'step' | 'pause' | 'failure' | 'model' | 'end';

/** Events of the session between those of the run. */
export type DebugEvent =
	/** First event. */
	| { readonly event: 'debug_session'; readonly data: { readonly session_id: string; readonly key: string } }
	/**
	 * The run stopped: no node starts until a command continues it. Sent again, with the same `reason` and `branch`, when active nodes have
	 * finished.
	 */
	| {
			readonly event: 'debug_stopped';
			readonly data: {
				readonly reason: DebugStopReason;
				/** The branch that stopped. After a step, it can differ from the stepped branch if that has ended or joined another. */
				readonly branch: number;
				readonly branches: readonly DebugBranch[];
				/** Breakpoints hit there. */
				readonly breakpoints?: readonly string[];
				/** Error message of a failure. */
				readonly error?: string;
				/** Set if this is an earlier moment of the run: the number of its step, from 1, the number of steps so far, and of the changes made there. */
				readonly past?: {
					readonly step: number;
					readonly of: number;
					readonly changes?: number;
					/** Nodes that ran only later, if any; `agent` as in {@link DebugFrame}. */
					readonly later?: readonly { readonly node: string; readonly agent?: string }[];
				};
			};
	  }
	/** All branches continue, or only `branch`. */
	| { readonly event: 'debug_continued'; readonly data: { readonly branch?: number } }
	/** A log message, or an error in a condition. */
	| {
			readonly event: 'debug_output';
			readonly data: {
				readonly node: string;
				/** Name of the node's agent, if the debugged agent runs it as a tool. */
				readonly agent?: string;
				readonly breakpoint: string;
				readonly text: string;
				readonly fault?: boolean;
			};
	  };

/**
 * A value was changed in the debugger. This is an event of the run and part of its record. `selector` names the variable and the keys into
 * it; `round` lists the iterations of the surrounding containers, outermost first.
 */
export interface VariableSetEvent {
	readonly event: 'variable_set';
	readonly task_id: string;
	readonly workflow_run_id: string;
	readonly data: {
		readonly selector: readonly (string | number)[];
		readonly value: unknown;
		readonly previous: unknown;
		/** Node that was next when the value was changed. */
		readonly node_id: string;
		/**
		 * Name of the agent that has the variable and the node, if the debugged agent runs it as a tool. `round` then belongs to the node that
		 * runs it.
		 */
		readonly agent?: string;
		/** Unix seconds. */
		readonly created_at: number;
		readonly iteration_id?: string;
		readonly iteration_index?: number;
		readonly loop_id?: string;
		readonly loop_index?: number;
	};
}
