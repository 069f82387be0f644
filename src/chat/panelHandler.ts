import * as vscode from 'vscode';
import { messageOf } from '../common/problems.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import { AttachmentChecks } from './attachmentChecks.ts';
import { attachmentOf } from './attachments.ts';
import type { Chat } from './chat.ts';
import type { ChatHost } from './chatHost.ts';
import type { ChatPanel, PanelOwner } from './chatPanel.ts';
import { applyCode, insertCode, newFileWithCode } from './codeActions.ts';
import { continuationOf } from './continuation.ts';
import { attachUris, findFiles, openPlace, pickFiles } from './fileAttachments.ts';
import type { FromPanel } from './panelMessages.ts';
import type { PanelHead } from './panelProtocol.ts';
import { panelStrings } from './panelStrings.ts';
import { loadImage } from './remoteImages.ts';
import { harmCategories, harmThresholds, settingFields, settingProblems } from './settingFields.ts';
import { endpointName, pickConnection, pickEndpoint, pickModel } from './targetPicks.ts';
import { textOf } from './transcript.ts';

/** Most messages that the arrow keys go back through. */
const historyLength = 50;

/** Does what a panel's page asks for. */
export class PanelHandler implements PanelOwner {
	readonly #host: ChatHost;
	readonly #connections: Connections;
	readonly #log: vscode.LogOutputChannel;
	readonly #checks: AttachmentChecks;

	constructor({ host, connections, log }: { host: ChatHost; connections: Connections; log: vscode.LogOutputChannel }) {
		this.#host = host;
		this.#connections = connections;
		this.#log = log;
		this.#checks = new AttachmentChecks(chat => host.replies.refusal(chat));
	}

	head(chat: Chat): PanelHead {
		const { transcript } = chat;
		const { endpoint } = transcript;
		const settings = transcript.settings[endpoint] ?? {};
		const refusal = this.#checks.refusal(chat);
		return {
			chatId: transcript.id,
			title: transcript.title,
			endpoint,
			endpointName: endpointName(endpoint),
			connectionName: this.#host.targets.connectionName(transcript),
			model: transcript.models[endpoint] ?? '',
			modelWord: endpoint === 'agent' ? vscode.l10n.t('Agent') : vscode.l10n.t('Model'),
			system: transcript.system,
			takesSystem: endpoint !== 'agent',
			settings,
			fields: settingFields(vscode.l10n, endpoint),
			problems: settingProblems(vscode.l10n, endpoint, settings),
			attachments: transcript.attachments,
			...(refusal && { refusal }),
			busy: this.#host.replies.isRunning(chat),
			continues: continuationOf(transcript) !== undefined,
			...this.#notice(chat),
		};
	}

	snapshot(chat: Chat) {
		const configuration = vscode.workspace.getConfiguration('agentWorkbench.chat');
		const sendOn: 'enter' | 'ctrlEnter' = configuration.get('sendOn') === 'ctrlEnter' ? 'ctrlEnter' : 'enter';
		const said = chat.transcript.turns.flatMap(turn => (turn.role === 'user' && textOf(turn) ? [textOf(turn)] : []));
		return {
			strings: panelStrings(vscode.l10n),
			preferences: { sendOn, harmCategories, harmThresholds },
			history: said.reverse().slice(0, historyLength),
		};
	}

	/** Never rejects: what fails is told in the panel or as a message. */
	async handle(panel: ChatPanel, message: FromPanel): Promise<void> {
		this.#host.activate(panel);
		try {
			await this.#do(panel, message);
		} catch (error) {
			this.#log.error(`Chat, ${message.type}: ${messageOf(error)}`);
			panel.post({ type: 'notice', text: messageOf(error) });
		}
	}

	async #do(panel: ChatPanel, message: FromPanel): Promise<void> {
		const { chat } = panel;
		const { replies } = this.#host;
		switch (message.type) {
			case 'send':
				return this.#send(panel, message.text);
			case 'stop':
				return replies.stop(chat);
			case 'retry':
				return replies.retry(chat, message.turn);
			case 'continue':
				return replies.continue(chat, message.turn);
			case 'edit':
				return replies.edit(chat, message.turn, message.text);
			case 'branch':
				return chat.selectSibling(message.turn, message.offset);
			case 'toolResult':
				return replies.sendToolResults(chat, message.turn, message.results);
			case 'pick':
				return this.#pick(chat, message.what);
			case 'system':
				return chat.update({ system: message.text });
			case 'setting':
				return this.#set(chat, message.name, message.value);
			case 'attachFiles':
				return pickFiles(chat);
			case 'attachUris':
				return attachUris(
					chat,
					message.uris.map(uri => vscode.Uri.parse(uri)),
				);
			case 'attachData':
				return this.#attachData(chat, message);
			case 'detach':
				return chat.update({ attachments: chat.transcript.attachments.filter(({ id }) => id !== message.id) });
			case 'mentions':
				return panel.post({ type: 'mentions', query: message.query, files: await findFiles(message.query) });
			case 'copy':
				return vscode.env.clipboard.writeText(message.text);
			case 'code':
				return this.#code(message);
			case 'loadImage':
				return panel.post({ type: 'image', url: message.url, ...(await loadImage(message.url)) });
			case 'openFile':
				return openPlace(vscode.Uri.parse(message.uri), message.lines);
			case 'problemAction':
				return this.#mend(panel, message.turn, message.action);
		}
	}

	/** What cannot go where the chat points is not sent: the page gets it back. */
	async #send(panel: ChatPanel, text: string): Promise<void> {
		const { chat } = panel;
		const refusal = await this.#host.replies.refusal(chat);
		if (refusal) {
			panel.post({ type: 'refused', text, refusal });
		} else {
			this.#host.replies.send(chat, text);
		}
	}

	async #pick(chat: Chat, what: 'connection' | 'endpoint' | 'model'): Promise<void> {
		const pick = { connection: pickConnection, endpoint: pickEndpoint, model: pickModel }[what];
		await pick(chat, this.#connections, this.#host.targets);
	}

	#set(chat: Chat, name: string, value: unknown): void {
		const { endpoint, settings } = chat.transcript;
		const { [name]: _, ...others } = { ...settings[endpoint] };
		const empty = value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
		chat.update({ settings: { ...settings, [endpoint]: empty ? others : { ...others, [name]: value } } });
	}

	#attachData(chat: Chat, { name, data }: { name: string; data: string }): void {
		const attachment = attachmentOf(vscode.l10n, name, Buffer.from(data, 'base64'));
		chat.update({ attachments: [...chat.transcript.attachments, attachment] });
	}

	#code({ action, language, text }: Extract<FromPanel, { type: 'code' }>): Promise<void> {
		switch (action) {
			case 'insert':
				return insertCode(text);
			case 'newFile':
				return newFileWithCode(text, language);
			case 'apply':
				return applyCode(text);
		}
	}

	async #mend(panel: ChatPanel, turn: string, action: Extract<FromPanel, { type: 'problemAction' }>['action']): Promise<void> {
		const { chat } = panel;
		switch (action) {
			case 'retry':
				return this.#host.replies.retry(chat, turn);
			case 'pickModel':
			case 'pickConnection':
				return this.#pick(chat, action === 'pickModel' ? 'model' : 'connection');
			case 'openSettings':
				return panel.post({ type: 'openSettings' });
			case 'newChat':
				return this.#host.show(panel, this.#host.chats.create(chat.transcript));
			case 'showLog':
				return this.#log.show(true);
			case 'replaceKey': {
				const { id } = this.#host.targets.connection(chat.transcript);
				await vscode.commands.executeCommand('agentWorkbench.connection.setKey', id);
			}
		}
	}

	#notice(chat: Chat): { notice?: string } {
		const { transcript } = chat;
		try {
			const connection = this.#host.targets.connection(transcript);
			const fits = this.#host.targets.endpoints(connection).includes(transcript.endpoint);
			return fits
				? {}
				: { notice: vscode.l10n.t('"{0}" has no endpoint {1}. Pick another.', connection.name, endpointName(transcript.endpoint)) };
		} catch (error) {
			return error instanceof Error && error.name === 'Problem' ? { notice: error.message } : {};
		}
	}
}
