import * as z from 'zod';

/**
 * A piece of an agent that is run in place of the whole (`part` of a draft run's body): one node, or everything from a node on. Values of what comes before
 * are those that a run has recorded, what was set by hand in a debugger before the node ran as it was set, with `variables` laid over them. The run's inputs are then the recorded ones, with `inputs` laid over them. Of a chatflow, the
 * question and the conversation are the recorded ones too; no turn is added to the conversation.
 */
export const partialRunSchema = z.strictObject({
	node: z.string().min(1).describe('Node ID.'),
	how: z
		.enum(['only', 'from'])
		.describe(
			'`only`: this node alone, its outputs are those of the run; `from`: this node and what comes after it, while all else keeps its recorded outputs.',
		),
	run: z.string().min(1).optional().describe('ID of the run whose recorded values are taken; required for `from`.'),
	rounds: z
		.array(z.number().int().min(0))
		.optional()
		.describe('Of a node inside of containers: the round of each, from the outermost; 0 where absent. `from` runs on in that round.'),
	variables: z
		.record(z.string(), z.record(z.string(), z.unknown()))
		.optional()
		.describe('Values by node ID (or `sys`, `conversation`, the container for `item` and `index`), then by name.'),
});
export type PartialRun = z.infer<typeof partialRunSchema>;
