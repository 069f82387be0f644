import * as vscode from 'vscode';
import { getErrorMessage, Problem } from '#base/problems.ts';
import type { ChosenTool } from '#pages/chat/transcript/transcript.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { isWorkspaceTrusted } from '../../platform/trust.ts';
import { type AgentRunner, createAgentTool } from './agentTool.ts';
import type { ChatTool, ChosenTools } from './chatTool.ts';
import { createEditorTool } from './editorTool.ts';

/** Creates a function that resolves a chat's tools. The function rejects with a {@link Problem} `settings` if a tool isn't available. */
export function createToolResolver(connections: Connections, runAgent: AgentRunner): ChosenTools {
	return async chosen => (isWorkspaceTrusted() ? Promise.all(chosen.map(each => resolveTool(connections, runAgent, each))) : []);
}

async function resolveTool(connections: Connections, runAgent: AgentRunner, chosen: ChosenTool): Promise<ChatTool> {
	const tool = chosen.kind === 'agent' ? await resolveAgentTool(connections, runAgent, chosen) : resolveEditorTool(chosen);
	if (!tool) {
		throw createToolProblem(chosen);
	}
	return tool;
}

async function resolveAgentTool(connections: Connections, runAgent: AgentRunner, chosen: ChosenTool): Promise<ChatTool | undefined> {
	const connection = connections.get(chosen.connectionId ?? '');
	if (!connection) {
		return undefined;
	}
	let agents: Awaited<ReturnType<Connections['listAgents']>>;
	try {
		agents = await connections.listAgents(connection.id);
	} catch (error) {
		throw createToolProblem(chosen, getErrorMessage(connections.toProblem(connection.id, error)));
	}
	const agent = agents.find(({ name }) => name === chosen.name);
	return agent && createAgentTool(chosen, connection, agent, runAgent);
}

function resolveEditorTool(chosen: ChosenTool): ChatTool | undefined {
	const tool = vscode.lm.tools.find(({ name }) => name === chosen.name);
	return tool && createEditorTool(chosen, tool);
}

function createToolProblem({ name }: ChosenTool, reason?: string): Problem {
	return new Problem(
		'settings',
		reason === undefined
			? vscode.l10n.t("This chat uses the tool '{0}', which doesn't exist. Select the tools again.", name)
			: vscode.l10n.t("Can't use the tool '{0}' in this chat: {1}", name, reason),
	);
}
