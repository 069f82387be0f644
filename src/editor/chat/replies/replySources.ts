import { getErrorReason, isCancellation, Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { Turn } from '#pages/chat/transcript/transcript.ts';
import { getActivePath } from '#pages/chat/transcript/turnTree.ts';
import type { Connections, PrepareAgent } from '../../connections/connectionTypes.ts';
import { getAttachments, type ReplyStep } from '../endpoints/endpoint.ts';
import { findSettingProblems } from '../settingFields.ts';
import type { Targets } from '../targets.ts';
import type { ChosenTools } from '../tools/chatTool.ts';
import type { Chat } from '../transcripts/chat.ts';
import { findConversationToContinue } from '../transcripts/conversationTurns.ts';
import { splitToolTurns } from '../transcripts/toolTurns.ts';
import { declareChatTools } from './declaredTools.ts';
import type { ReplySource } from './replyRun.ts';
import { type ReplyTarget, replaceTarget } from './replyTarget.ts';
import { createSummaryRequest, foldSummarizedTurns } from './summaries.ts';

interface ReplySourcesParts {
	readonly connections: Connections;
	readonly targets: Targets;
	readonly words: Localization;
	readonly prepare: PrepareAgent;
	readonly tools: ChosenTools;
	/** Returns what models get before the system prompt of each chat. */
	readonly readInstructions: () => Promise<string>;
}

/** Sends the request for a summary. */
interface SummarySource extends Pick<ReplySource, 'explainError'> {
	streamReply(turns: readonly Turn[], signal: AbortSignal): AsyncIterable<ReplyStep>;
}

/** Prepares the requests of replies: finds the connection, endpoint and model of their chat. */
export class ReplySources {
	readonly #parts: ReplySourcesParts;

	constructor(parts: ReplySourcesParts) {
		this.#parts = parts;
	}

	/**
	 * Prepares the requests of a reply. `turn` is the reply's turn, including the parts that it continues from. `target` replaces the chat's
	 * connection and model for this reply.
	 */
	async openReply(chat: Chat, question: Turn, turn: Turn, target?: ReplyTarget): Promise<ReplySource> {
		const transcript = target ? replaceTarget(chat.transcript, target) : chat.transcript;
		const { endpoint: kind } = transcript;
		const settings = { ...transcript.settings[kind] };
		const [problem] = Object.values(findSettingProblems(this.#parts.words, kind, settings));
		if (problem) {
			throw new Problem('settings', problem);
		}
		const turns = foldSummarizedTurns(getActivePath(transcript, question.id));
		const connection = this.#parts.targets.getConnection(transcript);
		const { user } = connection;
		const model = await this.#parts.targets.resolveModel(transcript, connection);
		const endpoint = await this.#parts.targets.createEndpoint(kind, connection, model);
		const client = await this.#parts.connections.getClient(connection.id);
		const attached = getAttachments(question.parts);
		const refused = attached.length > 0 ? await endpoint.checkAttachments(client, { model, settings }, attached) : undefined;
		if (refused) {
			throw new Problem('attachment', refused);
		}
		if (kind === 'agent') {
			await this.#parts.prepare(connection, model).catch((error: unknown) => {
				throw isCancellation(error)
					? new Problem(
							'settings',
							this.#parts.words.t("Your message wasn't sent: '{0}' needs its secrets. Send the message again to enter them.", model),
						)
					: error;
			});
		}
		const conversationId = findConversationToContinue(transcript, turns, connection, model);
		if (!target) {
			// the user may have picked another model meanwhile
			chat.updateFields({ user, models: { ...transcript.models, [kind]: transcript.models[kind] ?? model } });
		}
		const explainError = (error: unknown) =>
			conversationId !== undefined && getErrorReason(error) === 'not-found'
				? new Problem('conversation-gone', this.#parts.words.t("This conversation was deleted on '{0}'.", connection.name), undefined, {
						cause: error,
					})
				: this.#parts.connections.toProblem(connection.id, error);
		const instructions = kind === 'agent' ? '' : await this.#parts.readInstructions();
		const system = [instructions, transcript.system].filter(text => text !== '').join('\n\n');
		const tools = await declareChatTools(chat, turn, kind, settings, this.#parts.tools, this.#parts.words);
		const outputLimit = await this.#parts.targets.findOutputLimit(kind, connection, model);
		const sent = { ...(conversationId && { conversationId }), ...(outputLimit !== undefined && { outputLimit }) };
		const request = { model, system, user, ...sent, settings: { ...settings, ...tools?.settings } };
		const price = this.#parts.targets.findPrice(kind, connection, model);
		return {
			explainError,
			model,
			...(price && { price }),
			...(tools && { tools: tools.rounds }),
			streamSteps: signal =>
				endpoint.streamReply(client, { ...request, turns: splitToolTurns(turn.parts.length > 0 ? [...turns, turn] : turns) }, signal),
		};
	}

	/** Prepares the request for a summary of a chat, without its system prompt, settings and tools. */
	async openSummary({ transcript }: Chat): Promise<SummarySource> {
		const { targets, connections } = this.#parts;
		const { endpoint: kind } = transcript;
		const connection = targets.getConnection(transcript);
		const model = await targets.resolveModel(transcript, connection);
		const endpoint = await targets.createEndpoint(kind, connection, model);
		const client = await connections.getClient(connection.id);
		return {
			explainError: error => connections.toProblem(connection.id, error),
			streamReply: (turns, signal) =>
				endpoint.streamReply(
					client,
					{ model, system: '', user: connection.user, settings: {}, turns: splitToolTurns(createSummaryRequest(turns)) },
					signal,
				),
		};
	}
}
