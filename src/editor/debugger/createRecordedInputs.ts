import { readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import type { PartialRun } from '#contract/partialRun.ts';
import type { DraftInputs } from '../agents/files/draftInputs.ts';
import { pickExistingNodes } from '../agents/nodeRuns/nodeRuns.ts';
import type { StoredRequests } from '../runs/following/storedRequests.ts';
import type { RunRecords } from '../runs/history/runRecords.ts';

/** Inputs of a debugged run that can come from an earlier run. */
export interface RecordedInputs extends DraftInputs {
	/** Title of the node that a fork starts from. */
	readonly forkedAt?: string;
}

interface RecordedInputsParts {
	readonly records: RunRecords;
	/** Returns how a run was started, and its secrets. May ask the user, and rejects if the user cancels. */
	readonly readStart: StoredRequests['refillStart'];
}

/**
 * Creates the request to show a run, or to run a fork of it. The gateway has its inputs, which can contain secrets.
 * @param fork the part to run and the text of the agent file; absent to show the run
 */
export async function createRecordedInputs(
	{ records, readStart }: RecordedInputsParts,
	run: string,
	{ model, user }: { readonly model: string; readonly user: string },
	fork: { readonly part: PartialRun; readonly text: string } | undefined,
): Promise<RecordedInputs> {
	const record = records.list().find(({ runId }) => runId === run);
	const start = record && (await readStart(record));
	const graph = fork && readAgentGraph(new AgentText(fork.text).content);
	const trigger = start?.request.trigger;
	const recorded =
		fork && graph
			? { part: fork.part, ...(start && pickExistingNodes(start.request, graph)) }
			: { recorded_run: run, ...(trigger !== undefined && { trigger }) };
	const title = graph?.nodes.find(({ id }) => id === fork?.part.node)?.title;
	return {
		request: { model, inputs: {}, response_mode: 'streaming', user, ...recorded },
		secrets: start?.secrets ?? new Map(),
		...(record && { repeats: record.key }),
		...(title !== undefined && { forkedAt: title }),
	};
}
