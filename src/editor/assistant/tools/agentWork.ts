import type { TextDocument, Uri } from 'vscode';
import type { AgentDiagnostic } from '#agentFile/checks/agentFaults.ts';
import { faultsBeside } from '#agentFile/checks/faultsBeside.ts';
import type { AgentFileFault } from '#contract/agents.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { ServiceRunReference } from '#runs/serviceRun.ts';
import type { AgentsCore } from '../../agents/agentsCore.ts';
import type { Connection } from '../../connections/connectionTypes.ts';
import type { RunOrigin } from '../../runs/following/runControl.ts';
import type { RunsCore } from '../../runs/runsCore.ts';

/** What tools do with agent files and runs. */
export type AssistantWork = ReturnType<typeof agentWorkOf>;

export function agentWorkOf(
	{ control, reader }: Pick<RunsCore, 'control' | 'reader'>,
	{ files, editing, secrets }: Pick<AgentsCore, 'files' | 'editing' | 'secrets'>,
) {
	return {
		/** Returns what a text says as an agent file, and all that is wrong with it, as *Problems* shows it. Starts the built-in gateway. */
		check: async (document: TextDocument) => {
			const [own, check] = await Promise.all([(await editing()).listFaults(document), files.check(document)]);
			const faults = [...own.map(fault => faultWithLine(document, fault)), ...faultsBeside(own, check.faults)];
			return { name: files.getName(document.uri), check, faults };
		},
		/** Starts a run, which is in the history as any other. */
		start: (connection: Connection, request: WorkflowRunRequest, origin: RunOrigin) => control.start(connection, request, origin),
		/** Asks for a run to be stopped: it has stopped when its `ended` resolves. */
		stop: (key: string): void => void control.stop(key),
		/** Sees to it that the gateway has the secrets of an agent; asks for those that were never asked for. */
		secrets: (connection: Connection, agent: string, file: Uri | undefined) => secrets.prepare(connection, agent, file),
		/** Returns what is kept of a run of this editor, with all of its outputs. */
		told: (record: RunRecord) => reader.readRun(record),
		/** Returns a run as its service has it. Rejects as the client does. */
		serviceRun: (of: ServiceRunReference) => reader.readServiceRun(of),
	};
}

/** A problem of the text as the gateway reports its own: with its line. */
function faultWithLine(document: TextDocument, { offset, severity, message }: AgentDiagnostic): AgentFileFault {
	return { line: document.positionAt(offset).line + 1, path: '', severity, message };
}
