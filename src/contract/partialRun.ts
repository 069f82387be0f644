import * as z from 'zod';

/**
 * Runs part of an agent (`part` of a draft run's body): one node, or everything from a node on. Values of earlier nodes are the recorded
 * ones of a run, including changes made in a debugger, overridden by `variables`. The inputs are also the recorded ones, overridden by
 * `inputs`. A chatflow uses the recorded question and conversation too, and no turn is added.
 */
export const partialRunSchema = z.strictObject({
	node: z.string().min(1).describe('Node ID.'),
	how: z
		.enum(['only', 'from'])
		.describe(
			"`only` runs this node alone, and its outputs become the run's outputs. `from` runs this node and those after it; all others keep their recorded outputs.",
		),
	also: z
		.array(z.string().min(1))
		.optional()
		.describe(
			'Nodes of parallel branches that run again too, with those after them. They are on the level of `node` or on one around it. Only for `from`.',
		),
	run: z.string().min(1).optional().describe('ID of the run whose recorded values are used. Required for `from`.'),
	rounds: z
		.array(z.number().int().min(0))
		.optional()
		.describe('For a node inside containers, the iteration of each, outermost first. Default: 0. `from` continues in that iteration.'),
	replies: z
		.boolean()
		.optional()
		.describe(
			'Whether nodes that run again get the replies that `run` got, if they ask for the same. Default: true. The gateway keeps the replies of debugged, recorded and forked runs until it stops.',
		),
	side_effects: z
		.enum(['run', 'recorded'])
		.optional()
		.describe(
			'Calls that can change something (tools, Python code, HTTP requests other than GET and HEAD) and that `run` did not make in the same way: `run` makes them, `recorded` uses the reply that the node got in `run` instead. Default: `run`.',
		),
	variables: z
		.record(z.string(), z.record(z.string(), z.unknown()))
		.optional()
		.describe("Values by node ID (or `sys`, `conversation`, or the container's ID for `item` and `index`), then by name."),
});
export type PartialRun = z.infer<typeof partialRunSchema>;

/** The run that a fork starts from, and the values that it changed (`parent` of `workflow_started`, not in the contract). */
export interface RunParent {
	/** ID of the run. */
	readonly run: string;
	/** ID of the node from which everything runs again. */
	readonly node: string;
	readonly changes: readonly ValueChange[];
}

/** A value that a fork starts with instead of the recorded one. */
interface ValueChange {
	/** Node ID (or `sys`, `conversation`, or `inputs` for an input of the run), then the name. */
	readonly selector: readonly string[];
	readonly value: unknown;
}

/** Returns the parent of a run of a part of an agent; `undefined` unless the run is a fork. @param inputs those that replace recorded ones */
export function getRunParent(
	{ how, run, node, variables = {} }: PartialRun,
	inputs: Readonly<Record<string, unknown>>,
): RunParent | undefined {
	if (how !== 'from' || run === undefined) {
		return undefined;
	}
	const changes = Object.entries({ ...(Object.keys(inputs).length > 0 && { inputs }), ...variables }).flatMap(([owner, values]) =>
		Object.entries(values).map(([name, value]) => ({ selector: [owner, name], value })),
	);
	return { run, node, changes };
}
