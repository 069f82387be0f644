import type { Uri } from 'vscode';
import type { AgentSummary } from '#contract/agents.ts';
import type { FilledRequest } from '#runs/request/secrets.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { DraftInputs } from '../../agents/files/draftInputs.ts';
import type { PrepareAgent } from '../../connections/connectionTypes.ts';

/** What runs need of the agent files of the built-in gateway. */
export interface AgentFilesOfRuns {
	readonly prepare: PrepareAgent;
	/** The agent that a text describes, saved or not; rejects with what is wrong if it describes none. */
	describe(file: Uri): Promise<AgentSummary>;
	/** Runs the draft of an agent file as it is now. `began` is called with the run's key. */
	runDraftWith(file: Uri, inputs: DraftInputs, began?: (key: string) => void): Promise<RunRecord>;
	/** Runs a draft again: its agent file as it is now, with what was sent then. */
	runDraftAgain(record: RunRecord, filled: FilledRequest): Promise<RunRecord>;
}
