import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { ConversationReference } from '../explorer/conversations/conversationTypes.ts';
import { attachSelection, attachUris } from './attachments/fileAttachments.ts';
import type { ChatHost } from './chatHost.ts';
import type { ChatPanel } from './panel/chatPanel.ts';
import type { Chat } from './transcripts/chat.ts';
import { exportToJson, exportToMarkdown } from './transcripts/transcriptExport.ts';
import { pickTranscript } from './transcripts/transcriptPick.ts';
import { parseTranscript } from './transcripts/transcriptSchema.ts';

/** The chat's commands, which apply to the panel that was used last. */
export class ChatCommands {
	readonly #host: ChatHost;

	constructor(host: ChatHost) {
		this.#host = host;
	}

	/** Opens a new chat with the same connection, endpoint and model as the current one. */
	async openNewChat(): Promise<void> {
		const panel = this.#getPanel();
		await this.#host.showChat(panel, this.#host.chats.createChat(panel.chat.transcript));
		panel.focusBox();
	}

	/** Lets the user search, open, rename, delete and export the chats of this workspace. */
	async showChats(): Promise<void> {
		const panel = this.#getPanel();
		const picked = await panel.returnFocus(pickTranscript(this.#host, panel.chat.transcript));
		if (picked) {
			await this.#openChat(
				panel,
				'summary' in picked ? this.#host.chats.holdChat(picked.summary.id) : this.#host.openConversation(picked.conversation),
			);
		}
	}

	/** Continues a conversation that an agent's service stores. */
	async openConversation(conversation: ConversationReference): Promise<void> {
		await this.#openChat(this.#getPanel(), this.#host.openConversation(conversation));
	}

	/** Attaches a run and focuses the message box. */
	async askAboutRun(argument: unknown): Promise<void> {
		const panel = this.#getPanel(this.#host.panelInSight);
		const { agent, status } = await this.#host.attachRun(panel.chat, argument);
		const text =
			status === 'failed'
				? vscode.l10n.t("Why did the run of '{0}' fail, and how can I fix it?", agent)
				: vscode.l10n.t("Explain what the run of '{0}' did.", agent);
		panel.post({ type: 'suggestText', text });
		panel.focusBox();
	}

	/** Opens a new chat with an agent. `agent` is the agent's tree node, with its name and the ID of its connection. */
	async chatWithAgent(agent: unknown): Promise<void> {
		const { connectionId, agentName } = agent as { readonly connectionId: string; readonly agentName: string };
		const panel = this.#getPanel();
		const { models } = panel.chat.transcript;
		const like = { ...panel.chat.transcript, connectionId, endpoint: 'agent' as const, models: { ...models, agent: agentName } };
		await this.#host.showChat(panel, this.#host.chats.createChat(like));
		panel.focusBox();
	}

	pickTools(): Promise<void> {
		const panel = this.#getPanel();
		return panel.returnFocus(this.#host.pickTools(panel.chat));
	}

	/** Lets the user pick one of the app's annotations, and opens it in the chat for editing. */
	async editAnnotation(): Promise<void> {
		const panel = this.#getPanel();
		const annotation = await this.#host.apps.pickAnnotation(panel.chat);
		if (annotation) {
			const { id, question, answer } = annotation;
			panel.focusBox();
			panel.post({ type: 'annotation', annotation: { id, question: question ?? '', answer: answer ?? '' } });
		}
	}

	editVariable(): Promise<void> {
		return this.#host.apps.changeVariable(this.#getPanel().chat);
	}

	async renameChat(): Promise<void> {
		const { chat } = this.#getPanel();
		const title = await vscode.window.showInputBox({ title: vscode.l10n.t('Chat name'), value: chat.transcript.title });
		if (title?.trim()) {
			chat.updateFields({ title: title.trim(), named: true });
		}
	}

	async delete(): Promise<void> {
		const { transcript } = this.#getPanel().chat;
		const yes = vscode.l10n.t('Delete');
		const detail = vscode.l10n.t('Its messages, with all their versions, will be deleted from this machine.');
		const { title } = transcript;
		const question = title ? vscode.l10n.t("Delete '{0}'?", title) : vscode.l10n.t('Delete this chat?');
		if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes) {
			await this.#host.delete(transcript.id);
		}
	}

	/** Exports the chat to a Markdown file, or to a JSON file that can be imported again. */
	async exportChat(): Promise<void> {
		const { transcript } = this.#getPanel().chat;
		const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
		const name = `${
			(transcript.title || 'chat')
				.replaceAll(/[^\p{L}\p{N} _-]+/gu, ' ')
				.trim()
				.slice(0, 60) || 'chat'
		}.md`;
		const target = await vscode.window.showSaveDialog({
			title: vscode.l10n.t('Export chat'),
			filters: { Markdown: ['md'], JSON: ['json'] },
			...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
		});
		if (target) {
			const text = target.path.endsWith('.json') ? exportToJson(transcript) : exportToMarkdown(vscode.l10n, transcript);
			await vscode.workspace.fs.writeFile(target, Buffer.from(text));
			await vscode.window.showTextDocument(target);
		}
	}

	/** Imports a chat from exported JSON and shows it. */
	async importChat(): Promise<void> {
		const panel = this.#getPanel();
		const [source] = (await vscode.window.showOpenDialog({ title: vscode.l10n.t('Import chat'), filters: { JSON: ['json'] } })) ?? [];
		if (source) {
			const text = Buffer.from(await vscode.workspace.fs.readFile(source)).toString('utf8');
			const id = await this.#host.chats.importChat(parseTranscript(vscode.l10n, text, vscode.workspace.asRelativePath(source)));
			await this.#openChat(panel, this.#host.chats.holdChat(id));
		}
	}

	/** Attaches the editor's selection and focuses the message box. */
	askAboutSelection(): void {
		const editor = this.#host.editors.get();
		if (!editor) {
			throw new Problem('no-editor', vscode.l10n.t('No file is open. Open one and select some text.'));
		}
		const panel = this.#getPanel(this.#host.panelInSight);
		attachSelection(panel.chat, editor);
		panel.focusBox();
	}

	/** Attaches the files chosen in the explorer, or the active editor's file if there are none. */
	async addFiles(uri: unknown, uris: unknown): Promise<void> {
		const chosen = Array.isArray(uris) && uris.length > 0 ? uris : [uri ?? vscode.window.activeTextEditor?.document.uri];
		const files = chosen.filter(file => file instanceof vscode.Uri);
		if (files.length === 0) {
			throw new Problem('no-editor', vscode.l10n.t('Select or open a file first.'));
		}
		const panel = this.#getPanel(this.#host.panelInSight);
		await attachUris(panel.chat, this.#host.context, files);
		panel.focusBox();
	}

	async #openChat(panel: ChatPanel, opening: Promise<Chat | undefined>): Promise<void> {
		const chat = await opening;
		if (chat) {
			await this.#host.showChat(panel, chat);
			panel.focusBox();
		}
	}

	#getPanel(panel = this.#host.activePanel): ChatPanel {
		if (!panel) {
			throw new Problem('no-chat', vscode.l10n.t("Couldn't open the chat."));
		}
		return panel;
	}
}
