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
	run: z.string().min(1).optional().describe('ID of the run whose recorded values are used. Required for `from`.'),
	rounds: z
		.array(z.number().int().min(0))
		.optional()
		.describe('For a node inside containers, the iteration of each, outermost first. Default: 0. `from` continues in that iteration.'),
	variables: z
		.record(z.string(), z.record(z.string(), z.unknown()))
		.optional()
		.describe("Values by node ID (or `sys`, `conversation`, or the container's ID for `item` and `index`), then by name."),
});
export type PartialRun = z.infer<typeof partialRunSchema>;
