import { Problem } from '#base/problems.ts';
import { beginningOf } from '#base/text/cutText.ts';
import type { Localization } from '#base/text/localization.ts';
import type { ChatEvent } from '#contract/chat.ts';
import { isEvent, type WorkflowEvent } from '#contract/events.ts';
import { AnswerPieces } from '#runs/events/answerPieces.ts';
import { citationsOf, readAgentStep } from './agentMessage.ts';
import type { ReplyStep } from './endpoint.ts';
import { GrowingParts } from './growingParts.ts';
import { storedFile } from './messageFile.ts';

/** The steps of a turn of an agent that converses. `begun`: text came before, where it goes on after a pause. */
export async function* chatSteps(events: AsyncIterable<ChatEvent>, words: Localization, begun = false): AsyncIterable<ReplyStep> {
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
		const piece = pieces.read(event);
		if (piece && event.event === 'message_replace') {
			yield* replacedSteps(event, piece.text, parts, words);
		} else if (piece) {
			yield* piece.whole ? parts.closed(piece.text) : parts.text(piece.text);
		} else if (event.event === 'agent_thought') {
			yield* parts.step(readAgentStep(event));
		} else if (event.event === 'message_file') {
			yield* parts.file(storedFile(event, 'assistant'));
		} else if (event.event === 'message_end') {
			const { metadata } = event as { metadata?: { usage?: Record<string, unknown>; retriever_resources?: unknown } };
			yield* usageSteps(metadata?.usage);
			yield* parts.cite(citationsOf(metadata?.retriever_resources));
			if (isObject((metadata as { annotation_reply?: unknown } | undefined)?.annotation_reply)) {
				yield { type: 'note', text: words.t('This is an annotation of the agent’s: no model was asked.') };
			}
			yield { type: 'finish', finish: { reason: 'message_end', text: words.t('finished'), notable: false } };
		} else {
			yield* waitingSteps(event, parts, words);
		}
	}
}

/** The steps of a run, whose texts, or else outputs, are the reply. `begun`: as above. */
export async function* runSteps(events: AsyncIterable<WorkflowEvent>, words: Localization, begun = false): AsyncIterable<ReplyStep> {
	const parts = new GrowingParts(begun);
	let from: string | undefined;
	for await (const event of events) {
		if (isEvent(event, 'text_chunk')) {
			const source = event.data.from_variable_selector?.join('.');
			// another output begins
			yield* parts.text(from !== undefined && source !== from ? `\n\n${event.data.text}` : event.data.text);
			from = source;
		} else if (isEvent(event, 'text_replace')) {
			yield* parts.begun ? parts.replaced(event.data.text) : [];
		} else if (isEvent(event, 'workflow_finished')) {
			yield* endSteps(event, parts, words);
		} else {
			yield* waitingSteps(event, parts, words);
		}
	}
}

/** What people have read and is no more is said. A service that tells a reader anew what has gone by gives no reason, and takes nothing back. */
function* replacedSteps(event: ChatEvent, text: string, parts: GrowingParts, words: Localization): Iterable<ReplyStep> {
	const { reason } = event as { reason?: unknown };
	const isTold = typeof reason === 'string' && reason !== '';
	if (isTold || !text.startsWith(parts.shown)) {
		const moderated = !isTold || reason === 'output_moderation';
		yield {
			type: 'note',
			text: moderated
				? words.t('The service’s moderation replaced what stood here first.')
				: words.t('The service replaced what stood here first ({0}).', beginningOf(reason, 100)),
		};
	}
	yield* parts.replaced(text);
}

function isObject(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}

/** What both kinds of agent send of thoughts and of forms. */
function* waitingSteps(event: WorkflowEvent | ChatEvent, parts: GrowingParts, words: Localization): Iterable<ReplyStep> {
	const told = event as WorkflowEvent;
	const { workflow_run_id: run } = event as { workflow_run_id?: unknown };
	if (isEvent(told, 'workflow_started') && typeof run === 'string') {
		yield { type: 'run', id: run };
	} else if (isEvent(told, 'reasoning_chunk')) {
		yield* parts.thought(told.data.reasoning);
	} else if (isEvent(told, 'human_input_required')) {
		yield* parts.form(told.data);
	} else if (isEvent(told, 'human_input_form_filled')) {
		yield { type: 'answered', nodeId: told.data.node_id, answer: told.data.action_text || told.data.action_id };
	} else if (isEvent(told, 'human_input_form_timeout')) {
		yield { type: 'answered', nodeId: told.data.node_id, answer: words.t('nobody answered in time') };
	} else if (told.event === 'workflow_paused') {
		if (typeof run === 'string') {
			yield { type: 'run', id: run };
		}
		yield {
			type: 'finish',
			finish: { reason: 'paused', text: words.t('Waits for an answer to the form above, and goes on then.'), notable: true },
		};
	}
}

function* endSteps(
	{ data }: Extract<WorkflowEvent, { event: 'workflow_finished'; data: object }>,
	parts: GrowingParts,
	words: Localization,
): Iterable<ReplyStep> {
	const { status, outputs, error, total_tokens: tokens } = data as Record<string, unknown>;
	const text = outputs ? outputsText(outputs as Record<string, unknown>) : '';
	if (text !== '' && !parts.begun) {
		yield { type: 'part', part: { kind: 'text', text } };
	} else if (Object.keys(outputs ?? {}).length > 1) {
		// what was streamed says of no text which output it is
		yield* parts.replaced(text);
	}
	if (typeof tokens === 'number' && tokens > 0) {
		yield { type: 'usage', usage: { output: tokens } };
	}
	if (status === 'failed') {
		throw new Problem('run-failed', error ? words.t('The run failed: {0}', String(error)) : words.t('The run failed and gave no reason.'));
	}
	const reason = String(status);
	const notable = reason !== 'succeeded';
	yield { type: 'finish', finish: { reason, text: notable ? words.t('The run ended: {0}.', reason) : words.t('finished'), notable } };
}

function* usageSteps(usage: Record<string, unknown> | undefined): Iterable<ReplyStep> {
	const { prompt_tokens: input, completion_tokens: output, total_price: price, currency } = usage ?? {};
	if (typeof input === 'number' || typeof output === 'number') {
		const amount = Number(price ?? 0);
		yield {
			type: 'usage',
			usage: { ...(typeof input === 'number' && { input }), ...(typeof output === 'number' && { output }) },
			// services that know no price say that it was none
			...(amount > 0 && typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) && { cost: { amount, currency } }),
		};
	}
}

/** A run's outputs as a reply: one text as it is, several each below its name: texts as they are, lists and objects as JSON. */
function outputsText(outputs: Record<string, unknown>): string {
	const entries = Object.entries(outputs);
	const [only, ...others] = entries;
	return only && others.length === 0 ? valueText(only[1]) : entries.map(([name, value]) => field(name, value)).join('\n\n');
}

/** Longest text that stands beside its name. */
const shortValue = 80;

function field(name: string, value: unknown): string {
	const text = valueText(value);
	const isShort = (typeof value !== 'object' || value === null) && text.length <= shortValue && !text.includes('\n');
	return isShort ? `**${name}:** ${text}` : `**${name}:**\n\n${text}`;
}

function valueText(value: unknown): string {
	if (typeof value === 'string') {
		return value;
	}
	return typeof value === 'object' && value !== null ? `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`` : String(value);
}
