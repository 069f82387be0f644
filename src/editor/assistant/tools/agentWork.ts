import type { TextDocument, Uri } from 'vscode';
import type { AgentDiagnostic } from '#agentFile/checks/agentFaults.ts';
import { filterGatewayFaults } from '#agentFile/checks/gatewayFaults.ts';
import type { AgentFileFault } from '#contract/agents.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { ServiceRunReference } from '#runs/serviceRun.ts';
import type { AgentsCore } from '../../agents/agentsCore.ts';
import type { Connection } from '../../connections/connectionTypes.ts';
import type { RunOrigin } from '../../runs/following/runControl.ts';
import type { RunsCore } from '../../runs/runsCore.ts';

/** Functions that the tools use for agent files and runs. */
export type AssistantWork = ReturnType<typeof createAssistantWork>;

export function createAssistantWork(
	{ control, reader }: Pick<RunsCore, 'control' | 'reader'>,
	{ files, editing, secrets }: Pick<AgentsCore, 'files' | 'editing' | 'secrets'>,
) {
	return {
		/** Reads an agent file and returns all its diagnostics, as *Problems* shows them. Starts the built-in gateway. */
		check: async (document: TextDocument) => {
			const [own, check] = await Promise.all([(await editing()).listFaults(document), files.checkText(document)]);
			const faults = [...own.map(fault => toFileFault(document, fault)), ...filterGatewayFaults(own, check.faults)];
			return { name: files.getAgentName(document.uri), check, faults };
		},
		/** Starts a run that appears in the run history. */
		start: (connection: Connection, request: WorkflowRunRequest, origin: RunOrigin) => control.start(connection, request, origin),
		/** Requests a stop. The run has stopped when its `ended` promise resolves. */
		stop: (key: string): void => void control.stop(key),
		/** Makes sure that the gateway has an agent's secrets. Asks the user for those that were never set. */
		prepareSecrets: (connection: Connection, agent: string, file: Uri | undefined) => secrets.prepareSecrets(connection, agent, file),
		/** Reads a run of this editor with all its outputs. */
		readRun: (record: RunRecord) => reader.readRun(record),
		/** Reads a run from its service. Rejects with the client's errors. */
		readServiceRun: (of: ServiceRunReference) => reader.readServiceRun(of),
	};
}

/** Converts a diagnostic with an offset to the gateway's format, which has line numbers. */
function toFileFault(document: TextDocument, { offset, severity, message }: AgentDiagnostic): AgentFileFault {
	return { line: document.positionAt(offset).line + 1, path: '', severity, message };
}
