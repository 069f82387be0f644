import * as vscode from 'vscode';
import { getErrorMessage } from '#base/problems.ts';
import { type EndpointKind, endpointKinds } from '#pages/chat/transcript/transcript.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { Pickable, Targets } from './targets.ts';
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

/** Lets the user pick the chat's connection. If it lacks the chat's endpoint, the chat switches to the connection's first endpoint. */
export async function pickConnection(chat: Chat, connections: Connections, targets: Targets): Promise<void> {
	const current = chat.transcript.connectionId || connections.getDefault().id;
	const items = connections.list().map(connection => ({
		label: connection.name,
		description: connection.baseUrl ?? '',
		connection,
		iconPath: new vscode.ThemeIcon(connection.id === current ? 'check' : 'blank'),
	}));
	const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Select a connection') });
	if (picked) {
		const available = targets.listEndpoints(picked.connection);
		const { endpoint, connectionId } = chat.transcript;
		chat.updateFields({
			connectionId: picked.connection.id,
			endpoint: available.includes(endpoint) ? endpoint : (available[0] ?? 'messages'),
			// drop the models of the previous service
			...(picked.connection.id !== connectionId && { models: {} }),
		});
		await selectOnlyModel(chat, targets);
	}
}

/** Lets the user pick one of the endpoints of the chat's connection. */
export async function pickEndpoint(chat: Chat, _connections: Connections, targets: Targets): Promise<void> {
	const available = targets.listEndpoints(targets.getConnection(chat.transcript));
	const items = endpointKinds
		.filter(kind => available.includes(kind))
		.map(kind => ({
			label: getEndpointName(kind),
			description: paths[kind],
			endpoint: kind,
			iconPath: new vscode.ThemeIcon(kind === chat.transcript.endpoint ? 'check' : 'blank'),
		}));
	const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Select an endpoint') });
	if (picked) {
		chat.updateFields({ endpoint: picked.endpoint });
		await selectOnlyModel(chat, targets);
	}
}

/** Selects the model if there's only one choice. Never asks for a key or shows an error, because sending a message will. */
async function selectOnlyModel(chat: Chat, targets: Targets): Promise<void> {
	const { endpoint, models, connectionId } = chat.transcript;
	const connection = targets.getConnection(chat.transcript);
	const model = models[endpoint] ?? (await targets.findOnlyModel(endpoint, connection, { ask: false }).catch(() => undefined));
	const { transcript } = chat;
	const isAsBefore = transcript.endpoint === endpoint && transcript.connectionId === connectionId && !transcript.models[endpoint];
	if (model && isAsBefore) {
		chat.updateFields({ models: { ...transcript.models, [endpoint]: model } });
	}
}

/** Lets the user pick a listed model or agent, or type a name, because services may not list all of them. */
export async function pickModel(chat: Chat, connections: Connections, targets: Targets): Promise<void> {
	const { endpoint, models } = chat.transcript;
	const connection = targets.getConnection(chat.transcript);
	const current = models[endpoint];
	// ask for a missing key before the list opens, because the prompt would close it; names can be typed even without a key
	await connections.getClient(connection.id).catch(() => undefined);
	const quickPick = vscode.window.createQuickPick<vscode.QuickPickItem & { name: string }>();
	quickPick.title = endpoint === 'agent' ? vscode.l10n.t('Select an agent') : vscode.l10n.t('Select a model');
	quickPick.placeholder = vscode.l10n.t("Select one from '{0}', or type a name", connection.name);
	quickPick.busy = true;
	let listed: Pickable[] = [];
	const updateItems = () => {
		const typed = quickPick.value.trim();
		const items = listed.map(({ name, detail }) => ({
			label: name,
			name,
			description: detail ?? '',
			iconPath: new vscode.ThemeIcon(name === current ? 'check' : 'blank'),
		}));
		const isNew = typed !== '' && !listed.some(({ name }) => name === typed);
		quickPick.items = isNew
			? [...items, { label: typed, name: typed, description: vscode.l10n.t('use this name'), alwaysShow: true }]
			: items;
	};
	targets.listModels(endpoint, connection).then(
		found => {
			listed = found;
			quickPick.busy = false;
			updateItems();
		},
		error => {
			quickPick.busy = false;
			quickPick.placeholder = vscode.l10n.t("Type a name. Couldn't load the list: {0}", getErrorMessage(error));
		},
	);
	const picked = await new Promise<string | undefined>(resolve => {
		quickPick.onDidChangeValue(updateItems);
		quickPick.onDidAccept(() => resolve(quickPick.selectedItems[0]?.name));
		quickPick.onDidHide(() => resolve(undefined));
		quickPick.show();
	});
	quickPick.dispose();
	if (picked) {
		chat.updateFields({ models: { ...chat.transcript.models, [endpoint]: picked } });
	}
}
