import * as vscode from 'vscode';
import { type EndpointKind, endpointKinds } from '#pages/chat/transcript/transcript.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { ReplyTarget } from './replies/replyTarget.ts';
import { type CurrentTarget, type PickedTarget, TargetPick } from './targetList.ts';
import type { Targets } from './targets.ts';
import type { Chat } from './transcripts/chat.ts';

export function getEndpointName(kind: EndpointKind): string {
	return {
		messages: vscode.l10n.t('Chat model'),
		content: vscode.l10n.t('Chat model, Gemini API'),
		chatCompletions: vscode.l10n.t('Chat model, OpenAI API'),
		completions: vscode.l10n.t('Text completion'),
		agent: vscode.l10n.t('Agent'),
	}[kind];
}

const paths: Readonly<Record<EndpointKind, string>> = {
	messages: '/v1/messages',
	content: '/v1beta/models/…:streamGenerateContent',
	chatCompletions: '/v1/chat/completions',
	completions: '/v1/complete',
	agent: '/v1/agent/…',
};

/** Lets the user pick one of the text endpoints of the chat's connection. */
export async function pickEndpoint(chat: Chat, targets: Targets): Promise<void> {
	const available = targets.listEndpoints(targets.getConnection(chat.transcript));
	const items = endpointKinds
		.filter(kind => kind !== 'agent' && available.includes(kind))
		.map(kind => ({
			label: getEndpointName(kind),
			description: paths[kind],
			endpoint: kind,
			iconPath: new vscode.ThemeIcon(kind === chat.transcript.endpoint ? 'check' : 'blank'),
		}));
	const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Select an endpoint') });
	if (picked) {
		const { models, endpoint } = chat.transcript;
		const model = models[picked.endpoint] ?? models[endpoint];
		chat.updateFields({ endpoint: picked.endpoint, models: { ...models, ...(model !== undefined && { [picked.endpoint]: model }) } });
	}
}

/** Lets the user pick a model or agent for a chat ({@link pickTarget}). */
export async function pickModel(chat: Chat, connections: Connections, targets: Targets): Promise<void> {
	const target = await pickTarget(getCurrentTarget(chat), connections, targets);
	if (target) {
		selectTarget(chat, target);
	}
}

/** Lets the user pick a model or agent for one reply. The chat keeps its own. */
export async function pickReplyTarget(chat: Chat, connections: Connections, targets: Targets): Promise<ReplyTarget | undefined> {
	const target = await pickTarget(getCurrentTarget(chat), connections, targets, vscode.l10n.t('Retry with another model or agent'));
	return target && { connectionId: target.connection.id, endpoint: target.endpoint, model: target.name };
}

function getCurrentTarget({ transcript }: Chat): CurrentTarget {
	const { connectionId, endpoint, models } = transcript;
	return { connectionId, endpoint, name: models[endpoint] ?? '' };
}

/**
 * Lets the user pick a model or agent of any connection, or use a typed name, because services may not list all of them. Offers to set
 * missing keys and to add a connection, and then shows the list again.
 */
export async function pickTarget(
	current: CurrentTarget,
	connections: Connections,
	targets: Targets,
	title = vscode.l10n.t('Select a model or agent'),
): Promise<PickedTarget | undefined> {
	let search = '';
	for (;;) {
		const { choice, typed } = await new TargetPick(current, connections, targets, { title, search }).pickChoice();
		search = typed;
		switch (choice?.kind) {
			case undefined:
				return undefined;
			case 'target':
				return choice;
			case 'setKey':
				await vscode.commands.executeCommand('agentWorkbench.connection.setKey', choice.connection.id);
				break;
			case 'reload':
				connections.reloadLists(choice.connection.id);
				break;
			case 'typedName': {
				const target = await pickTargetOfName(connections, targets, search.trim());
				if (target) {
					return target;
				}
				break;
			}
			case 'addConnection': {
				const id = await vscode.commands.executeCommand<string | undefined>('agentWorkbench.connection.add');
				search = id === undefined ? typed : (connections.get(id)?.name ?? '');
			}
		}
	}
}

/** Asks for a name if none was typed, and which connection it belongs to. */
async function pickTargetOfName(connections: Connections, targets: Targets, typed: string): Promise<PickedTarget | undefined> {
	const name = typed || (await vscode.window.showInputBox({ title: vscode.l10n.t('Name of a model or agent') }))?.trim();
	if (!name) {
		return undefined;
	}
	const items = connections.list().flatMap(connection =>
		targets
			.listEndpoints(connection)
			// agents of other services are listed
			.filter(kind => kind !== 'agent' || connection.kind === 'gateway')
			.map(endpoint => ({ label: connection.name, description: getEndpointName(endpoint), connection, endpoint })),
	);
	const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t("Select a connection for '{0}'", name) });
	return picked && { kind: 'target', connection: picked.connection, endpoint: picked.endpoint, name };
}

function selectTarget(chat: Chat, { connection, endpoint, name }: PickedTarget): void {
	const { connectionId, models } = chat.transcript;
	// drop the models of the previous service
	const kept = connection.id === connectionId ? models : {};
	chat.updateFields({ connectionId: connection.id, endpoint, models: { ...kept, [endpoint]: name } });
}
