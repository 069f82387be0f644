import * as z from 'zod';

/**
 * A piece of an agent that is run in place of the whole (`part` of a draft run's body): one node, or everything from a node on. Values of
 * what comes before are those that a run has recorded, what was set by hand in a debugger before the node ran as it was set, with
 * `variables` laid over them. The run's inputs are then the recorded ones, with `inputs` laid over them. Of a chatflow, the question and
 * the conversation are the recorded ones too; no turn is added to the conversation.
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
