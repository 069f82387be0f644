import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { ConversationReference } from '../explorer/conversations/conversationTypes.ts';
import { attachSelection, attachUris } from './attachments/fileAttachments.ts';
import type { ChatHost } from './chatHost.ts';
import type { ChatPanel } from './panel/chatPanel.ts';
import type { Chat } from './transcripts/chat.ts';
import { exportedJson, exportedMarkdown } from './transcripts/transcriptExport.ts';
import { pickTranscript } from './transcripts/transcriptPick.ts';
import { parseTranscript } from './transcripts/transcriptSchema.ts';

/** The chat's commands. They act on the panel that was used last. */
export class ChatCommands {
	readonly #host: ChatHost;

	constructor(host: ChatHost) {
		this.#host = host;
	}

	/** A new chat that talks to what the one shown talked to. */
	async newChat(): Promise<void> {
		const panel = this.#panel();
		await this.#host.show(panel, this.#host.chats.create(panel.chat.transcript));
		this.#focus(panel);
	}

	/** The chats of this workspace: search, open, rename, delete, export. */
	async list(): Promise<void> {
		const panel = this.#panel();
		const picked = await pickTranscript(this.#host, panel.chat.transcript);
		if (picked) {
			await this.#show(
				panel,
				'summary' in picked ? this.#host.chats.hold(picked.summary.id) : this.#host.openConversation(picked.conversation),
			);
		}
	}

	/** Goes on with a conversation that an agent's service keeps. */
	async openConversation(conversation: ConversationReference): Promise<void> {
		await this.#show(this.#panel(), this.#host.openConversation(conversation));
	}

	/** Attaches how a run went and puts the cursor into the chat. */
	async askAboutRun(argument: unknown): Promise<void> {
		const panel = this.#panel(this.#host.panelInSight);
		await this.#host.attachRun(panel.chat, argument);
		this.#focus(panel);
	}

	/** A new chat with an agent: a node of the tree that names its connection and its name. */
	async withAgent(agent: unknown): Promise<void> {
		const { connectionId, agentName } = agent as { readonly connectionId: string; readonly agentName: string };
		const panel = this.#panel();
		const { models } = panel.chat.transcript;
		const like = { ...panel.chat.transcript, connectionId, endpoint: 'agent' as const, models: { ...models, agent: agentName } };
		await this.#host.show(panel, this.#host.chats.create(like));
		this.#focus(panel);
	}

	/** What the model of the chat may call. */
	pickTools(): Promise<void> {
		return this.#host.pickTools(this.#panel().chat);
	}

	/** The annotations of the chat's app: one that is picked opens in the chat to be changed. */
	async annotations(): Promise<void> {
		const panel = this.#panel();
		const annotation = await this.#host.apps.pickAnnotation(panel.chat);
		if (annotation) {
			const { id, question, answer } = annotation;
			panel.reveal();
			panel.post({ type: 'annotation', annotation: { id, question: question ?? '', answer: answer ?? '' } });
		}
	}

	/** The variables of the chat's conversation. */
	variables(): Promise<void> {
		return this.#host.apps.changeVariable(this.#panel().chat);
	}

	async rename(): Promise<void> {
		const { chat } = this.#panel();
		const title = await vscode.window.showInputBox({ title: vscode.l10n.t('Name of this chat'), value: chat.transcript.title });
		if (title?.trim()) {
			chat.update({ title: title.trim(), named: true });
		}
	}

	async delete(): Promise<void> {
		const { transcript } = this.#panel().chat;
		const yes = vscode.l10n.t('Delete');
		const detail = vscode.l10n.t('Its messages and all their versions are deleted from this machine.');
		const title = transcript.title || vscode.l10n.t('this chat');
		if ((await vscode.window.showWarningMessage(vscode.l10n.t('Delete "{0}"?', title), { modal: true, detail }, yes)) === yes) {
			await this.#host.delete(transcript.id);
		}
	}

	/** Writes the chat to a file: Markdown to read, JSON to import again. */
	async export(): Promise<void> {
		const { transcript } = this.#panel().chat;
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
			const text = target.path.endsWith('.json') ? exportedJson(transcript) : exportedMarkdown(vscode.l10n, transcript);
			await vscode.workspace.fs.writeFile(target, Buffer.from(text));
			await vscode.window.showTextDocument(target);
		}
	}

	/** Takes in a chat that was exported as JSON, and shows it. */
	async import(): Promise<void> {
		const panel = this.#panel();
		const [source] = (await vscode.window.showOpenDialog({ title: vscode.l10n.t('Import chat'), filters: { JSON: ['json'] } })) ?? [];
		if (source) {
			const text = Buffer.from(await vscode.workspace.fs.readFile(source)).toString('utf8');
			const id = await this.#host.chats.import(parseTranscript(vscode.l10n, text, vscode.workspace.asRelativePath(source)));
			await this.#show(panel, this.#host.chats.hold(id));
		}
	}

	/** Attaches what is selected in the editor and puts the cursor into the chat. */
	askAboutSelection(): void {
		const editor = this.#host.editors.get();
		if (!editor) {
			throw new Problem('no-editor', vscode.l10n.t('No file is open in an editor, so nothing is selected.'));
		}
		const panel = this.#panel(this.#host.panelInSight);
		attachSelection(panel.chat, editor);
		this.#focus(panel);
	}

	/** Attaches files: those chosen in the explorer, else the one in the editor. */
	async addFiles(uri: unknown, uris: unknown): Promise<void> {
		const chosen = Array.isArray(uris) && uris.length > 0 ? uris : [uri ?? vscode.window.activeTextEditor?.document.uri];
		const files = chosen.filter(file => file instanceof vscode.Uri);
		if (files.length === 0) {
			throw new Problem('no-editor', vscode.l10n.t('No file is chosen and none is open in an editor.'));
		}
		const panel = this.#panel(this.#host.panelInSight);
		await attachUris(panel.chat, this.#host.documents, files);
		this.#focus(panel);
	}

	async #show(panel: ChatPanel, opening: Promise<Chat | undefined>): Promise<void> {
		const chat = await opening;
		if (chat) {
			await this.#host.show(panel, chat);
			this.#focus(panel);
		}
	}

	#panel(panel = this.#host.activePanel): ChatPanel {
		if (!panel) {
			throw new Problem('no-chat', vscode.l10n.t('The chat did not open.'));
		}
		return panel;
	}

	#focus(panel: ChatPanel): void {
		panel.reveal();
		panel.post({ type: 'focus' });
	}
}
