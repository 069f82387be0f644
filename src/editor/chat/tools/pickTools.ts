import * as vscode from 'vscode';
import { getErrorMessage, Problem } from '#base/problems.ts';
import type { ChosenTool, Transcript } from '#pages/chat/transcript/transcript.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import { isWorkspaceTrusted } from '../../platform/trust.ts';
import { toOneLine } from '../../platform/wording.ts';
import { supportsTools } from '../endpoints/toolDeclarations.ts';
import type { Targets } from '../targets.ts';
import type { Chat } from '../transcripts/chat.ts';
import { isSameTool } from './chatTool.ts';
import { getToolPlace } from './editorTool.ts';

type Item = vscode.QuickPickItem & { readonly tool?: ChosenTool };

/** Returns why a chat can't have tools, or undefined if it can. */
export function getToolsRefusal({ endpoint }: Pick<Transcript, 'endpoint'>): string | undefined {
	if (!isWorkspaceTrusted()) {
		return vscode.l10n.t('Tools are available once you trust this workspace.');
	}
	return supportsTools(endpoint) ? undefined : vscode.l10n.t('Only chat models can use these tools. Agents have their own tools.');
}

/** Lets the user choose the tools of a chat from agents and VS Code's tools. Lists the agents of the chat's connection first. */
export async function pickTools(chat: Chat, connections: Connections, targets: Targets): Promise<void> {
	const refused = getToolsRefusal(chat.transcript);
	if (refused) {
		throw new Problem('settings', refused);
	}
	const picked = await vscode.window.showQuickPick(listToolItems(chat.transcript, connections, targets), {
		title: vscode.l10n.t('Chat tools'),
		placeHolder: vscode.l10n.t('Select tools for the model. You confirm each one before its first run.'),
		canPickMany: true,
		matchOnDescription: true,
	});
	if (picked) {
		const before = chat.transcript.tools;
		const tools = picked.flatMap(({ tool }) => (tool ? [before.find(each => isSameTool(each, tool)) ?? tool] : []));
		chat.updateFields({ tools });
	}
}

async function listToolItems(transcript: Transcript, connections: Connections, targets: Targets): Promise<Item[]> {
	const own = targets.getConnection(transcript);
	const others = connections.list().filter(({ id }) => id !== own.id);
	const asked = [own, ...others].filter(connection => targets.listEndpoints(connection).includes('agent'));
	const descriptions = readToolDescriptions();
	const agents = (await Promise.all(asked.map(connection => listAgentItems(connections, connection)))).flat();
	const listed = [
		...agents,
		createSeparator(vscode.l10n.t('VS Code and its MCP servers')),
		...vscode.lm.tools.map(
			(tool): Item => ({
				label: tool.name,
				description: getToolPlace(tool),
				detail: toOneLine(descriptions.get(tool.name) ?? tool.description),
				tool: { kind: 'editor', name: tool.name },
			}),
		),
	];
	const { tools } = transcript;
	const missing = tools.filter(chosen => !listed.some(({ tool }) => tool && isSameTool(tool, chosen)));
	return [
		...listed.map(item => ({ ...item, picked: tools.some(chosen => item.tool && isSameTool(item.tool, chosen)) })),
		...(missing.length > 0 ? [createSeparator(vscode.l10n.t('Not available'))] : []),
		...missing.map((tool): Item => ({ label: tool.name, picked: true, tool })),
	];
}

/** Returns the user-visible descriptions of extensions' tools by tool name, in the display language. */
function readToolDescriptions(): ReadonlyMap<string, string> {
	const contributed: readonly { readonly name: string; readonly userDescription?: string }[] = vscode.extensions.all.flatMap(
		({ packageJSON }) => packageJSON.contributes?.languageModelTools ?? [],
	);
	return new Map(contributed.flatMap(({ name, userDescription }) => (userDescription ? [[name, userDescription]] : [])));
}

async function listAgentItems(connections: Connections, { id, name }: Connection): Promise<Item[]> {
	try {
		const agents = (await connections.listAgents(id)).filter(agent => agent.published && agent.error === null);
		const items = agents.map(
			(agent): Item => ({
				label: agent.name,
				description: name,
				...(agent.description && { detail: toOneLine(agent.description) }),
				tool: { kind: 'agent', name: agent.name, connectionId: id },
			}),
		);
		return items.length > 0 ? [createSeparator(vscode.l10n.t("Agents on '{0}'", name)), ...items] : [];
	} catch (error) {
		return [
			createSeparator(vscode.l10n.t("Agents on '{0}' aren't available: {1}", name, getErrorMessage(connections.toProblem(id, error)))),
		];
	}
}

function createSeparator(label: string): Item {
	return { label, kind: vscode.QuickPickItemKind.Separator };
}
