import type { Uri } from 'vscode';
import type { AgentSummary } from '#contract/agents.ts';
import type { FilledRequest } from '#runs/request/secrets.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { DraftInputs } from '../../agents/files/draftInputs.ts';
import type { PrepareAgent } from '../../connections/connectionTypes.ts';

/** Operations on the built-in gateway's agent files that runs need. */
export interface AgentFilesOfRuns {
	readonly prepare: PrepareAgent;
	/** Returns the agent in a file, including unsaved edits. Rejects if the file isn't a valid agent. */
	describe(file: Uri): Promise<AgentSummary>;
	/** Runs the current draft of an agent file. `onStart` is called with the run's key. */
	runDraftWith(file: Uri, inputs: DraftInputs, onStart?: (key: string) => void): Promise<RunRecord>;
	/** Runs a draft again: the current agent file with the previous inputs. */
	runDraftAgain(record: RunRecord, filled: FilledRequest): Promise<RunRecord>;
}
