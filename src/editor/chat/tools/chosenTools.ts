import * as vscode from 'vscode';
import { messageOf, Problem } from '#base/problems.ts';
import type { ChosenTool } from '#pages/chat/transcript/transcript.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { isTrusted } from '../../platform/trust.ts';
import { type AgentRunner, agentTool } from './agentTool.ts';
import type { ChatTool, ChosenTools } from './chatTool.ts';
import { editorTool } from './editorTool.ts';

/** Finds the tools that a chat chose. Rejects with a {@link Problem} `settings` that names the one that is not there. */
export function chosenTools(connections: Connections, runAgent: AgentRunner): ChosenTools {
	return async chosen => (isTrusted() ? Promise.all(chosen.map(each => toolOf(connections, runAgent, each))) : []);
}

async function toolOf(connections: Connections, runAgent: AgentRunner, chosen: ChosenTool): Promise<ChatTool> {
	const tool = chosen.kind === 'agent' ? await agentOf(connections, runAgent, chosen) : editorToolOf(chosen);
	if (!tool) {
		throw gone(chosen, vscode.l10n.t('it is not there'));
	}
	return tool;
}

async function agentOf(connections: Connections, runAgent: AgentRunner, chosen: ChosenTool): Promise<ChatTool | undefined> {
	const connection = connections.get(chosen.connectionId ?? '');
	if (!connection) {
		return undefined;
	}
	let agents: Awaited<ReturnType<Connections['agents']>>;
	try {
		agents = await connections.agents(connection.id);
	} catch (error) {
		throw gone(chosen, messageOf(connections.problem(connection.id, error)).replace(/\.$/, ''));
	}
	const agent = agents.find(({ name }) => name === chosen.name);
	return agent && agentTool(chosen, connection, agent, runAgent);
}

function editorToolOf(chosen: ChosenTool): ChatTool | undefined {
	const tool = vscode.lm.tools.find(({ name }) => name === chosen.name);
	return tool && editorTool(chosen, tool);
}

function gone({ name }: ChosenTool, why: string): Problem {
	return new Problem(
		'settings',
		vscode.l10n.t('The tool “{0}” of this chat cannot be used: {1}. Choose its tools anew, or try again.', name, why),
	);
}
