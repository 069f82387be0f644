import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { AppFeatures } from '#client/appFeatures.ts';
import type { AgentParameters } from '#contract/agents.ts';
import type { Annotation, AnnotationRequest, Rating } from '#contract/dify/appFeatures.ts';
import type { AppOffers, Speech } from '#pages/chat/panel/panelProtocol.ts';
import { isReplyFrom } from '#pages/chat/transcript/replyOrigin.ts';
import type { StoredPart, Turn } from '#pages/chat/transcript/transcript.ts';
import { getMediaType } from '#runs/request/fileKind.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import type { Targets } from '../targets.ts';
import type { Chat } from '../transcripts/chat.ts';
import { pickAnnotation } from './annotationPick.ts';
import { getAppOffers } from './appOffers.ts';
import { findAppReply, type ReplyOfApp } from './appOfReply.ts';
import { audioEndings, fetchSpeech, transcribeAudio } from './audio.ts';
import { FeedbackSender } from './feedback.ts';
import { downloadStoredFile, getSaveName } from './storedFiles.ts';
import { storeSuggestions } from './suggestions.ts';
import { changeVariable } from './variablePick.ts';

/** Reads the parameters of a chat's app, either cached or after fetching them. */
interface KnownParameters {
	getParameters(chat: Chat): AgentParameters | undefined;
	waitForParameters(chat: Chat): Promise<AgentParameters | undefined>;
}

/** Actions on messages of Dify apps. All methods reject with a {@link Problem} to show to the user. */
export class AppActions {
	readonly #connections: Connections;
	readonly #targets: Targets;
	readonly #known: KnownParameters;
	readonly #feedback = new FeedbackSender();

	constructor(connections: Connections, targets: Targets, known: KnownParameters) {
		this.#connections = connections;
		this.#targets = targets;
		this.#known = known;
	}

	/** Returns the features of the chat's app, or `undefined` if it isn't a Dify app or its connection was removed. */
	getOffers(chat: Chat): AppOffers | undefined {
		const { endpoint, models, connectionId } = chat.transcript;
		const connection = connectionId ? this.#connections.get(connectionId) : this.#connections.getDefault();
		return endpoint === 'agent' && connection ? getAppOffers(connection, models.agent ?? '', this.#known.getParameters(chat)) : undefined;
	}

	/** Stores the app's suggested questions with a reply. Never rejects, because suggestions are optional. */
	async addSuggestions(chat: Chat, turn: Turn): Promise<void> {
		await this.#known.waitForParameters(chat);
		const offers = this.getOffers(chat);
		if (offers?.suggests && turn.reply && isReplyFrom(turn.reply, offers.connection) && turn.reply.model === offers.model) {
			const reply = findAppReply(chat, turn.id, this.#connections, vscode.l10n);
			// don't ask for a key, because the user didn't start this
			const client = reply && (await this.#connections.getClient(reply.connection.id, { ask: false }).catch(() => undefined));
			await (client && storeSuggestions(chat, reply, client.app));
		}
	}

	async rateReply(chat: Chat, turn: string, rating: Rating | null): Promise<void> {
		const reply = this.#getReplyOfApp(chat, turn);
		await this.#explainErrors(reply, () => this.#feedback.sendRating(chat, reply, this.#getAppFeatures(reply.connection.id), rating));
	}

	/** Asks for a comment on a rated reply and sends it. */
	async editComment(chat: Chat, turn: string): Promise<void> {
		const reply = this.#getReplyOfApp(chat, turn);
		const { rating, comment = '' } = reply.reply.feedback ?? {};
		if (!rating) {
			return;
		}
		const title = rating === 'like' ? vscode.l10n.t('What was good about this reply?') : vscode.l10n.t('What was wrong with this reply?');
		const typed = await vscode.window.showInputBox({ title, value: comment, ignoreFocusOut: true });
		if (typed !== undefined && typed.trim() !== comment) {
			await this.#explainErrors(reply, () =>
				this.#feedback.sendRating(chat, reply, this.#getAppFeatures(reply.connection.id), rating, typed.trim()),
			);
		}
	}

	async fetchSpeech(chat: Chat, turn: string): Promise<Speech> {
		const reply = this.#getReplyOfApp(chat, turn);
		return this.#explainErrors(reply, async () => fetchSpeech(await this.#getAppFeatures(reply.connection.id), reply, vscode.l10n));
	}

	/** Asks for an audio file and returns its transcription, or `undefined` if the user cancels. */
	async transcribeFile(chat: Chat): Promise<string | undefined> {
		const [uri] =
			(await vscode.window.showOpenDialog({
				title: vscode.l10n.t('Select a recording'),
				filters: { [vscode.l10n.t('Audio')]: audioEndings },
			})) ?? [];
		if (!uri) {
			return undefined;
		}
		const { id, name, user } = this.#getConnection(chat);
		const file = path.posix.basename(uri.path);
		const type = getMediaType(file);
		const data = await vscode.workspace.fs.readFile(uri);
		return this.#explainErrors({ connection: { id } }, async () =>
			transcribeAudio(await this.#getAppFeatures(id), { name: file, data, ...(type && { type }) }, user, name, vscode.l10n),
		);
	}

	/** Downloads a picture that an agent made into the chat, so that the chat can show it. */
	async showPicture(chat: Chat, turnId: string, id: string): Promise<void> {
		const { turn, part, reply } = this.#findStoredPart(chat, turnId, id);
		const { type, data } = await this.#downloadFile(part, reply, true);
		chat.patchPart(turn, turn.parts.indexOf(part), { picture: { mimeType: type, data: Buffer.from(data).toString('base64') } });
	}

	/** Lets the user save a file that the service stores, and opens the copy. */
	async saveFile(chat: Chat, turnId: string, id: string): Promise<void> {
		const { part, reply } = this.#findStoredPart(chat, turnId, id);
		const data = part.picture ? Buffer.from(part.picture.data, 'base64') : (await this.#downloadFile(part, reply)).data;
		const name = getSaveName(part.name);
		const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
		const target = await vscode.window.showSaveDialog({
			title: vscode.l10n.t("Save '{0}'", name),
			...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
		});
		if (target) {
			await vscode.workspace.fs.writeFile(target, data);
			await vscode.commands.executeCommand('vscode.open', target);
		}
	}

	/** Lets the user pick an annotation of the chat's app to edit. Resolves to `undefined` if the user cancels. */
	async pickAnnotation(chat: Chat): Promise<Annotation | undefined> {
		const connection = this.#getConnection(chat);
		const name = chat.transcript.models.agent ?? connection.name;
		return this.#explainErrors({ connection }, async () => pickAnnotation(await this.#getAppFeatures(connection.id), name));
	}

	/** Creates an annotation of the chat's app, or updates the one with the given ID. */
	async saveAnnotation(chat: Chat, id: string | undefined, annotation: AnnotationRequest): Promise<void> {
		const connection = this.#getConnection(chat);
		await this.#explainErrors({ connection }, async () => {
			const app = await this.#getAppFeatures(connection.id);
			await (id === undefined ? app.createAnnotation(annotation) : app.updateAnnotation(id, annotation));
		});
	}

	/** Lets the user change a variable of the chat's conversation. */
	async changeVariable(chat: Chat): Promise<void> {
		const connection = this.#getConnection(chat);
		const { turns, user } = chat.transcript;
		const last = turns.findLast(({ reply }) => reply?.conversationId !== undefined && isReplyFrom(reply, connection));
		const conversation = last?.reply?.conversationId;
		if (conversation === undefined) {
			throw new Problem(
				'no-conversation',
				vscode.l10n.t("This chat has no conversation on '{0}' yet. Send a message first.", connection.name),
			);
		}
		await this.#explainErrors({ connection }, async () =>
			changeVariable(await this.#getAppFeatures(connection.id), conversation, user || connection.user),
		);
	}

	/** Returns a file of a turn, and the reply whose ID identifies the message to the service. */
	#findStoredPart(chat: Chat, turnId: string, id: string) {
		const turn = chat.getTurn(turnId);
		const part = turn?.parts.find((each): each is StoredPart & { readonly id: string } => each.kind === 'stored' && each.id === id);
		const below = chat.transcript.turns.find(({ parent, reply }) => parent === turnId && reply?.messageId !== undefined);
		const reply = this.#getReplyOfApp(chat, turn?.role === 'user' ? (below?.id ?? '') : turnId);
		if (!turn || !part) {
			throw new Problem('file', vscode.l10n.t('The file is no longer part of this message.'));
		}
		return { turn, part, reply };
	}

	#downloadFile(part: StoredPart & { readonly id: string }, reply: ReplyOfApp, image = false) {
		return this.#explainErrors(reply, async () =>
			downloadStoredFile(part, reply, await this.#connections.getClient(reply.connection.id), vscode.l10n, image),
		);
	}

	#getReplyOfApp(chat: Chat, turn: string): ReplyOfApp {
		const reply = findAppReply(chat, turn, this.#connections, vscode.l10n);
		if (!reply) {
			throw new Problem('not-dify', vscode.l10n.t("This reply isn't from a Dify app."));
		}
		return reply;
	}

	#getConnection(chat: Chat) {
		const connection = this.#targets.getConnection(chat.transcript);
		if (connection.kind !== 'dify' || chat.transcript.endpoint !== 'agent') {
			throw new Problem('not-dify', vscode.l10n.t('This only works in chats with Dify apps. Select a Dify connection above the chat.'));
		}
		return connection;
	}

	async #getAppFeatures(connectionId: string): Promise<AppFeatures> {
		return (await this.#connections.getClient(connectionId)).app;
	}

	async #explainErrors<T>({ connection: { id } }: { readonly connection: { readonly id: string } }, act: () => Promise<T>): Promise<T> {
		try {
			return await act();
		} catch (error) {
			throw this.#connections.toProblem(id, error);
		}
	}
}
