import type { TextDocument, Uri } from 'vscode';
import type { AgentFault } from '#agentFile/checks/agentFaults.ts';
import { faultsBeside } from '#agentFile/checks/faultsBeside.ts';
import type { AgentCheck, AgentFileFault } from '#contract/agents.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { ServiceRunReference } from '#runs/serviceRun.ts';
import type { AgentsCore } from '../../agents/agentsCore.ts';
import type { Connection } from '../../connections/connectionTypes.ts';
import type { RunOrigin, StartedRun } from '../../runs/following/runControl.ts';
import type { RunWithStory } from '../../runs/following/runReader.ts';
import type { RunsCore } from '../../runs/runsCore.ts';

/** What tools do with agent files and runs. */
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
	told(record: RunRecord): Promise<RunWithStory>;
	/** A run as its service has it. Rejects as the client does. */
	serviceRun(of: ServiceRunReference): Promise<RunWithStory>;
}

export function agentWorkOf({ control, reader }: RunsCore, { files, editing, secrets }: AgentsCore): AgentWork {
	return {
		check: async document => {
			const [own, check] = await Promise.all([(await editing()).faults(document), files.check(document)]);
			const faults = [...own.map(fault => faultWithLine(document, fault)), ...faultsBeside(own, check.faults)];
			return { name: files.nameOf(document.uri), check, faults };
		},
		start: (...asked) => control.start(...asked),
		stop: key => void control.stop(key),
		secrets: (...asked) => secrets.prepare(...asked),
		told: record => reader.readRun(record),
		serviceRun: of => reader.readServiceRun(of),
	};
}

/** A problem of the text as the gateway reports its own: with its line. */
function faultWithLine(document: TextDocument, { offset, severity, message }: AgentFault): AgentFileFault {
	return { line: document.positionAt(offset).line + 1, path: '', severity, message };
}
