import { joinSentences } from '#base/text/joinSentences.ts';
import type { Localization } from '#base/text/localization.ts';
import type { Finish } from '#pages/chat/transcript/transcript.ts';

/** Describes why a reply in Anthropic's protocol ended (wire facts 2.1). Unknown reasons are shown as they are. */
export function describeMessagesFinish(words: Localization, reason: string, stopSequence?: unknown, details?: unknown): Finish {
	switch (reason) {
		case 'end_turn':
			return { reason, text: words.t('Finished'), notable: false };
		case 'stop_sequence':
			return typeof stopSequence === 'string'
				? { reason, text: words.t("Stopped at stop sequence '{0}'", stopSequence), notable: false }
				: { reason, text: words.t('Stopped at a stop sequence'), notable: false };
		case 'max_tokens':
			return createLimitFinish(words, reason);
		case 'tool_use':
			return { reason, text: words.t('Requested a tool call'), notable: false };
		case 'pause_turn':
			return { reason, text: words.t('The model paused a long turn. Send a message to continue.'), notable: true };
		case 'refusal': {
			const explanation = readExplanation(details);
			return {
				reason,
				text: explanation ? words.t('The model declined to reply: {0}', explanation) : words.t('The model declined to reply.'),
				notable: true,
			};
		}
		case 'model_context_window_exceeded':
			return {
				reason,
				text: words.t("This chat is longer than the model's context window. Start a new chat or edit an earlier message."),
				notable: true,
			};
		default:
			return createUnknownFinish(words, reason);
	}
}

/** Describes why a chat completion in OpenAI's protocol ended. */
export function describeChatCompletionsFinish(words: Localization, reason: string): Finish {
	switch (reason) {
		case 'stop':
			return { reason, text: words.t('Finished'), notable: false };
		case 'tool_calls':
		case 'function_call':
			return { reason, text: words.t('Requested a tool call'), notable: false };
		case 'length':
			return createLimitFinish(words, reason);
		case 'content_filter':
			return { reason, text: describeBlockedReply(words, 'SAFETY'), notable: true };
		default:
			return createUnknownFinish(words, reason);
	}
}

/** Describes why a completion ended in Anthropic's older protocol (wire facts 3). */
export function describeCompletionsFinish(words: Localization, reason: string): Finish {
	switch (reason) {
		case 'stop_sequence':
			return { reason, text: words.t('Finished, or stopped at a stop sequence'), notable: false };
		case 'max_tokens':
			return createLimitFinish(words, reason);
		case 'refusal':
			return { reason, text: words.t('The model declined to reply.'), notable: true };
		default:
			return createUnknownFinish(words, reason);
	}
}

/** Describes why a candidate in Gemini's protocol ended (wire facts 4.1). Unknown reasons are shown as they are. */
export function describeContentFinish(words: Localization, reason: string, message?: unknown): Finish {
	const createNotableFinish = (text: string): Finish => ({ reason, text, notable: true });
	switch (reason) {
		case 'STOP':
			return { reason, text: words.t('Finished'), notable: false };
		case 'MAX_TOKENS':
			return createLimitFinish(words, reason);
		case 'SAFETY':
		case 'PROHIBITED_CONTENT':
		case 'BLOCKLIST':
		case 'IMAGE_SAFETY':
		case 'IMAGE_PROHIBITED_CONTENT':
			return createNotableFinish(describeBlockedReply(words, reason));
		case 'RECITATION':
		case 'IMAGE_RECITATION':
			return createNotableFinish(words.t('The service cut off this reply because it repeats previously published text.'));
		case 'LANGUAGE':
			return createNotableFinish(words.t("The model doesn't support the language of this chat."));
		case 'SPII':
			return createNotableFinish(words.t('The service cut off this reply because it may contain personal data.'));
		case 'MALFORMED_FUNCTION_CALL':
		case 'UNEXPECTED_TOOL_CALL':
		case 'TOO_MANY_TOOL_CALLS':
			return createNotableFinish(words.t("The service rejected the model's tool call: {0}.", reason));
		case 'NO_IMAGE':
			return createNotableFinish(words.t('The model returned no image.'));
		default:
			return typeof message === 'string' && message ? createNotableFinish(message) : createUnknownFinish(words, reason);
	}
}

function describeBlockedReply(words: Localization, reason: string): string {
	return joinSentences(words.t('The service cut off this reply.'), describeBlock(words, reason));
}

/** Describes in a sentence why Gemini blocked a prompt or reply (wire facts 4.1). */
export function describeBlock(words: Localization, reason: string): string {
	switch (reason) {
		case 'SAFETY':
		case 'IMAGE_SAFETY':
			return words.t("The safety settings of the service don't allow this content.");
		case 'BLOCKLIST':
			return words.t('The content includes a blocked word.');
		case 'PROHIBITED_CONTENT':
		case 'IMAGE_PROHIBITED_CONTENT':
			return words.t('The content is prohibited.');
		case 'MODEL_ARMOR':
			return words.t('The Model Armor filter blocked the content.');
		case 'JAILBREAK':
			return words.t('The content looks like an attempt to bypass the safety rules.');
		default:
			return words.t('Reason: {0}.', reason);
	}
}

function createLimitFinish(words: Localization, reason: string): Finish {
	return {
		reason,
		text: words.t('Cut off at the token limit.'),
		notable: true,
	};
}

function createUnknownFinish(words: Localization, reason: string): Finish {
	return { reason, text: words.t("Ended with reason '{0}'.", reason), notable: true };
}

function readExplanation(details: unknown): string | undefined {
	const explanation = typeof details === 'object' && details !== null ? (details as Record<string, unknown>)['explanation'] : undefined;
	return typeof explanation === 'string' && explanation ? explanation : undefined;
}
