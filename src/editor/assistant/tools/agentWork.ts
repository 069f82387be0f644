import type { TextDocument, Uri } from 'vscode';
import type { AgentCheck, AgentFileFault } from '#contract/agents.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import type { RunStory } from '#runs/events/runStory.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { ServiceRunReference } from '#runs/serviceRun.ts';
import type { Connection } from '../../connections/connectionTypes.ts';
import type { RunOrigin, StartedRun } from '../../runs/following/runControl.ts';

/** A run with what is kept of it for a question. */
export interface ToldRun {
	readonly record: RunRecord;
	readonly story: RunStory;
}

/** What tools do with agent files and runs: the part of workflows that they are handed. */
export interface AgentWork {
	/** What a text says as an agent file, and all that is wrong with it, as *Problems* tells it. Starts the built-in gateway. */
	check(document: TextDocument): Promise<{
		readonly name: string;
		readonly check: AgentCheck;
		readonly faults: readonly AgentFileFault[];
	}>;
	/** Starts a run, which stands in the history as any other. */
	start(connection: Connection, request: WorkflowRunRequest, origin: RunOrigin): StartedRun;
	/** Asks for a run to be stopped: it has when its `ended` resolves. */
	stop(key: string): void;
	/** Sees to it that the gateway has the secrets of an agent; asks for those that were never asked for. */
	secrets(connection: Connection, agent: string, file: Uri | undefined): Promise<void>;
	/** What is kept of a run of this editor, with all of its outputs: large ones are not in its record. */
	told(record: RunRecord): Promise<ToldRun>;
	/** A run as its service has it. Rejects as the client does. */
	serviceRun(of: ServiceRunReference): Promise<ToldRun>;
}
