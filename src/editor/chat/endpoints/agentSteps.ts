import { Problem } from '#base/problems.ts';
import { cutToLimit } from '#base/text/cutText.ts';
import type { Localization } from '#base/text/localization.ts';
import type { ChatEvent } from '#contract/chat.ts';
import { getTextSelector } from '#contract/eventFields.ts';
import { isEvent, type WorkflowEvent } from '#contract/events.ts';
import { AnswerPieces } from '#runs/events/answerPieces.ts';
import { readAgentStep, readCitations } from './agentMessage.ts';
import type { ReplyStep } from './endpoint.ts';
import { GrowingParts } from './growingParts.ts';
import { parseMessageFile } from './messageFile.ts';

/** Converts the events of a chat agent's turn to steps. `begun` is true if the turn resumes after a pause and already has text. */
export async function* readChatSteps(events: AsyncIterable<ChatEvent>, words: Localization, begun = false): AsyncIterable<ReplyStep> {
	const parts = new GrowingParts(begun);
	const pieces = new AnswerPieces();
	let conversation = '';
	let message = '';
	for await (const event of events) {
		const { conversation_id: id, message_id: messageId } = event as { conversation_id?: unknown; message_id?: unknown };
		if (typeof id === 'string' && id && id !== conversation) {
			conversation = id;
			yield { type: 'conversation', id };
		}
		if (typeof messageId === 'string' && messageId && messageId !== message) {
			message = messageId;
			yield { type: 'message', id: messageId };
		}
		const piece = pieces.readAnswerPiece(event);
		if (piece && event.event === 'message_replace') {
			yield* readReplacedText(event, piece.text, parts, words);
		} else if (piece) {
			yield* piece.whole ? parts.completeText(piece.text) : parts.addText(piece.text);
		} else if (event.event === 'agent_thought') {
			yield* parts.addStep(readAgentStep(event));
		} else if (event.event === 'message_file') {
			yield* parts.addFile(parseMessageFile(event, 'assistant'));
		} else if (event.event === 'message_end') {
			const { metadata } = event as { metadata?: { usage?: Record<string, unknown>; retriever_resources?: unknown } };
			yield* readUsage(metadata?.usage);
			yield* parts.addCitations(readCitations(metadata?.retriever_resources));
			if (isObject((metadata as { annotation_reply?: unknown } | undefined)?.annotation_reply)) {
				yield { type: 'note', text: words.t("This reply comes from the app's annotations. No model was used.") };
			}
			yield { type: 'finish', finish: { reason: 'message_end', text: words.t('Finished'), notable: false } };
		} else {
			yield* readSharedSteps(event, parts, words);
		}
	}
}

/** Converts the events of a run to steps. The reply is the streamed text or the outputs. For `begun`, see {@link readChatSteps}. */
export async function* readRunSteps(events: AsyncIterable<WorkflowEvent>, words: Localization, begun = false): AsyncIterable<ReplyStep> {
	const parts = new GrowingParts(begun);
	let from: string | undefined;
	for await (const event of events) {
		if (isEvent(event, 'text_chunk')) {
			const source = getTextSelector(event.data)?.join('.');
			// separate the texts of different outputs
			yield* parts.addText(from !== undefined && source !== from ? `\n\n${event.data.text}` : event.data.text);
			from = source;
		} else if (isEvent(event, 'text_replace')) {
			yield* parts.begun ? parts.replaceText(event.data.text) : [];
		} else if (isEvent(event, 'workflow_finished')) {
			yield* readEndSteps(event, parts, words);
		} else {
			yield* readSharedSteps(event, parts, words);
		}
	}
}

/** Replaces the shown text. Adds a note, unless the service only repeats the text after a reconnect (it gives no reason then). */
function* readReplacedText(event: ChatEvent, text: string, parts: GrowingParts, words: Localization): Iterable<ReplyStep> {
	const { reason } = event as { reason?: unknown };
	const hasReason = typeof reason === 'string' && reason !== '';
	if (hasReason || !text.startsWith(parts.shown)) {
		const moderated = !hasReason || reason === 'output_moderation';
		yield {
			type: 'note',
			text: moderated
				? words.t("The service's moderation replaced the original text.")
				: words.t('The service replaced the original text. Reason: {0}', cutToLimit(reason, 100)),
		};
	}
	yield* parts.replaceText(text);
}

function isObject(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}

/** Converts the events that both kinds of agents send: run IDs, thoughts, forms and pauses. */
function* readSharedSteps(event: WorkflowEvent | ChatEvent, parts: GrowingParts, words: Localization): Iterable<ReplyStep> {
	const shared = event as WorkflowEvent;
	const { workflow_run_id: run } = event as { workflow_run_id?: unknown };
	if (isEvent(shared, 'workflow_started') && typeof run === 'string') {
		yield { type: 'run', id: run };
	} else if (isEvent(shared, 'reasoning_chunk')) {
		yield* parts.addThought(shared.data.reasoning);
	} else if (isEvent(shared, 'human_input_required')) {
		yield* parts.addForm(shared.data);
	} else if (isEvent(shared, 'human_input_form_filled')) {
		yield { type: 'answered', nodeId: shared.data.node_id, answer: shared.data.action_text || shared.data.action_id };
	} else if (isEvent(shared, 'human_input_form_timeout')) {
		yield { type: 'answered', nodeId: shared.data.node_id, answer: words.t('Not answered in time') };
	} else if (shared.event === 'workflow_paused') {
		if (typeof run === 'string') {
			yield { type: 'run', id: run };
		}
		yield {
			type: 'finish',
			finish: { reason: 'paused', text: words.t('Waiting for an answer to the form above.'), notable: true },
		};
	}
}

function* readEndSteps(
	{ data }: Extract<WorkflowEvent, { event: 'workflow_finished'; data: object }>,
	parts: GrowingParts,
	words: Localization,
): Iterable<ReplyStep> {
	const { status, outputs, error, total_tokens: tokens } = data as Record<string, unknown>;
	const text = outputs ? formatOutputs(outputs as Record<string, unknown>) : '';
	if (text !== '' && !parts.begun) {
		yield { type: 'part', part: { kind: 'text', text } };
	} else if (Object.keys(outputs ?? {}).length > 1) {
		// streamed text doesn't say which output it belongs to, so replace it with the named outputs
		yield* parts.replaceText(text);
	}
	if (typeof tokens === 'number' && tokens > 0) {
		yield { type: 'usage', usage: { output: tokens } };
	}
	if (status === 'failed') {
		throw new Problem(
			'run-failed',
			error ? words.t('The run failed: {0}', String(error)) : words.t('The run failed without an error message.'),
		);
	}
	const reason = String(status);
	const notable = reason !== 'succeeded';
	yield {
		type: 'finish',
		finish: { reason, text: notable ? words.t("The run ended with status '{0}'.", reason) : words.t('Finished'), notable },
	};
}

function* readUsage(usage: Record<string, unknown> | undefined): Iterable<ReplyStep> {
	const { prompt_tokens: input, completion_tokens: output, total_price: price, currency } = usage ?? {};
	if (typeof input === 'number' || typeof output === 'number') {
		const amount = Number(price ?? 0);
		yield {
			type: 'usage',
			usage: { ...(typeof input === 'number' && { input }), ...(typeof output === 'number' && { output }) },
			// ignore 0, which services send if they don't know the price
			...(amount > 0 && typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) && { cost: { amount, currency } }),
		};
	}
}

/** Formats a run's outputs. A single output has no name. Lists and objects are formatted as JSON. */
function formatOutputs(outputs: Record<string, unknown>): string {
	const entries = Object.entries(outputs);
	const [only, ...others] = entries;
	return only && others.length === 0 ? formatValue(only[1]) : entries.map(([name, value]) => formatField(name, value)).join('\n\n');
}

/** Maximum length of a value that is shown on the same line as its name. */
const shortValue = 80;

function formatField(name: string, value: unknown): string {
	const text = formatValue(value);
	const isShort = (typeof value !== 'object' || value === null) && text.length <= shortValue && !text.includes('\n');
	return isShort ? `**${name}:** ${text}` : `**${name}:**\n\n${text}`;
}

function formatValue(value: unknown): string {
	if (typeof value === 'string') {
		return value;
	}
	return typeof value === 'object' && value !== null ? `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`` : String(value);
}
