import type { AgentSummary, AgentVariable } from '../../protocol/agents.ts';
import type { LoadedAgent, StartVariable } from '../engine/agentTypes.ts';
import type { AgentFile } from './agentFolder.ts';

/** An agent file as the agent list has it; `source` is the text of its published version, `workflowId` that version's ID. */
export function summaryOfFile(
	file: AgentFile,
	result: LoadedAgent | Error,
	workflowId: string | null,
	source: string | undefined,
): AgentSummary {
	const agent = result instanceof Error ? undefined : result;
	return {
		name: file.name,
		mode: agent?.mode ?? 'workflow',
		description: agent?.description ?? '',
		published: workflowId !== null,
		draft: file.text !== source,
		workflow_id: workflowId,
		file: file.file,
		variables: agent?.variables.map(variableOf) ?? [],
		error: result instanceof Error ? result.message : null,
		updated_at: Math.floor(file.modifiedAt / 1000),
	};
}

/** An agent that runs on a Dify deployment: nothing is known of it here but its name. */
export function summaryOfRemote(name: string): AgentSummary {
	return {
		name,
		mode: 'dify',
		description: '',
		published: true,
		draft: false,
		workflow_id: null,
		file: null,
		variables: [],
		error: null,
		updated_at: 0,
	};
}

/** A start variable as agents are listed with it. */
export function variableOf({ allowedFileTypes: _, ...variable }: StartVariable): AgentVariable {
	return variable;
}
