import type { AgentCheck, AgentSummary, AgentTrigger, AgentVariable } from '#contract/agents.ts';
import type { AgentFault, AgentNode, LoadedAgent, StartVariable } from '#engine/agentFile/agentTypes.ts';
import { getStartVariables } from '#engine/run/inputs.ts';
import type { AgentDescription } from './agentDescriptions.ts';
import type { AgentFile } from './agentFolder.ts';

/**
 * Converts an agent file to an entry of the agent list. `source` is the text of its published version, and `workflowId` is that version's
 * ID.
 */
export function summarizeFile(
	file: AgentFile,
	result: AgentDescription | Error,
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
		variables: [...(agent?.variables ?? [])],
		...(agent?.triggers && { triggers: [...agent.triggers] }),
		error: result instanceof Error ? result.message : null,
		updated_at: Math.floor(file.modifiedAt / 1000),
	};
}

/** Returns what lists of agents show of an agent. */
export function describeAgent(agent: LoadedAgent): AgentDescription {
	const { mode, appName, description } = agent;
	return { mode, appName, description, variables: agent.variables.map(toAgentVariable), ...getTriggers(agent) };
}

/** Converts the result of reading an agent's text for display in an editor. */
export function toAgentCheck(result: LoadedAgent | Error): AgentCheck {
	if (!(result instanceof Error)) {
		const faults = result.warnings.map(({ message, line, path }) => ({ message, line, path, severity: 'warning' as const }));
		return { variables: result.variables.map(toAgentVariable), ...getTriggers(result), mode: result.mode, faults };
	}
	const { line = 0, path = '' } = result as Partial<AgentFault>;
	// remove the position, which is only part of the message for logs; here, it's a separate field
	const message = result.message.replace(/^[^:]*:\d+: /, '').replace(path === '' ? '' : `${path}: `, '');
	return { variables: [], mode: '', faults: [{ message, line, path, severity: 'error' }] };
}

/** Creates the list entry of a remote agent on a Dify deployment. Only its name is known. */
export function summarizeRemote(name: string): AgentSummary {
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

/** Returns the triggers that a run can start from, if there are several. */
function getTriggers({ graph: { roots } }: LoadedAgent): { triggers?: AgentTrigger[] } {
	return roots.length > 1 ? { triggers: roots.map(toTrigger) } : {};
}

function toTrigger(root: AgentNode): AgentTrigger {
	const { id, title, type } = root;
	return { id, title, type, variables: type === 'start' ? getStartVariables(root).map(toAgentVariable) : [] };
}

/** Converts a start variable to the form used in the agent list. */
export function toAgentVariable({ allowedFileTypes, ...variable }: StartVariable): AgentVariable {
	return { ...variable, ...(allowedFileTypes.length > 0 && { allowed_file_types: [...allowedFileTypes] }) };
}
