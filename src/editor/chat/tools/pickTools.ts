import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { getErrorMessage, Problem } from '#base/problems.ts';
import type { ChosenTool, Transcript } from '#pages/chat/transcript/transcript.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import { isWorkspaceTrusted } from '../../platform/trust.ts';
import { toOneLine } from '../../platform/wording.ts';
import { supportsTools } from '../endpoints/toolDeclarations.ts';
import type { Targets } from '../targets.ts';
import type { Chat } from '../transcripts/chat.ts';
import { isSameTool } from './chatTool.ts';
import { getToolPlace, getToolTitle, readToolTitles } from './editorTool.ts';

interface Item extends vscode.QuickPickItem {
	readonly tool?: ChosenTool;
	/** The file of an agent that has to be published first. */
	readonly draft?: string;
}

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
		const unpublished = await publishDrafts(picked, connections);
		const before = chat.transcript.tools;
		const tools = picked
			.filter(item => !unpublished.has(item))
			.flatMap(({ tool }) => (tool ? [before.find(each => isSameTool(each, tool)) ?? tool] : []));
		chat.updateFields({ tools });
	}
}

/** Publishes the drafts among the picked agents. Returns those that aren't published, for example because the user canceled. */
async function publishDrafts(picked: readonly Item[], connections: Connections): Promise<ReadonlySet<Item>> {
	const unpublished = new Set<Item>();
	for (const item of picked) {
		const { draft, tool } = item;
		if (draft !== undefined && tool?.connectionId !== undefined) {
			await vscode.commands.executeCommand('agentWorkbench.agentFile.publish' satisfies CommandId, vscode.Uri.file(draft));
			connections.reloadLists(tool.connectionId);
			const agents = await connections.listAgents(tool.connectionId);
			if (!agents.some(({ name, published }) => name === tool.name && published)) {
				unpublished.add(item);
			}
		}
	}
	return unpublished;
}

async function listToolItems(transcript: Transcript, connections: Connections, targets: Targets): Promise<Item[]> {
	const own = targets.getConnection(transcript);
	const others = connections.list().filter(({ id }) => id !== own.id);
	const asked = [own, ...others].filter(connection => targets.listEndpoints(connection).includes('agent'));
	const descriptions = readToolDescriptions();
	const titles = readToolTitles();
	const agents = (await Promise.all(asked.map(connection => listAgentItems(connections, connection)))).flat();
	const listed = [
		...agents,
		createSeparator(vscode.l10n.t('VS Code and its MCP servers')),
		...listEditorTools(transcript.tools, titles).map(
			(tool): Item => ({
				label: getToolTitle(tool.name, titles),
				description: `${getToolPlace(tool)} · ${tool.name}`,
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

/**
 * Lists the tools of extensions and MCP servers, and the chosen ones. VS Code's own tools are left out, because no extension declares them
 * and they only work in VS Code's chat.
 */
function listEditorTools(
	chosen: readonly ChosenTool[],
	declared: ReadonlyMap<string, string>,
): readonly vscode.LanguageModelToolInformation[] {
	const isChosen = (name: string) => chosen.some(tool => isSameTool(tool, { kind: 'editor', name }));
	return vscode.lm.tools
		.filter(({ name }) => declared.has(name) || name.startsWith('mcp_') || isChosen(name))
		.toSorted((a, b) => getToolTitle(a.name, declared).localeCompare(getToolTitle(b.name, declared)));
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
		const agents = (await connections.listAgents(id)).filter(
			({ published, error, file }) => error === null && (published || file !== null),
		);
		const sorted = agents.toSorted((a, b) => Number(b.published) - Number(a.published));
		const items = sorted.map(
			(agent): Item => ({
				label: agent.name,
				description: agent.published ? name : vscode.l10n.t('{0} · not published: will be published and added', name),
				...(!agent.published && agent.file !== null && { draft: agent.file }),
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
