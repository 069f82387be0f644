import type { Localization } from '#base/text/localization.ts';
import type { Finish } from '#pages/chat/transcript/transcript.ts';

/** Why a reply of C ended, in words (wire facts 2.1). An unknown reason is shown as it is. */
export function messagesFinish(words: Localization, reason: string, stopSequence?: unknown, details?: unknown): Finish {
	switch (reason) {
		case 'end_turn':
			return { reason, text: words.t('finished'), notable: false };
		case 'stop_sequence':
			return typeof stopSequence === 'string'
				? { reason, text: words.t('stopped at the stop sequence "{0}"', stopSequence), notable: false }
				: { reason, text: words.t('stopped at a stop sequence'), notable: false };
		case 'max_tokens':
			return cutAtLimit(words, reason);
		case 'tool_use':
			return { reason, text: words.t('asks for a tool'), notable: false };
		case 'pause_turn':
			return { reason, text: words.t('The model paused a long turn. Send a message to let it go on.'), notable: true };
		case 'refusal': {
			const explanation = explanationOf(details);
			return {
				reason,
				text: explanation ? words.t('The model refused: {0}', explanation) : words.t('The model refused to answer.'),
				notable: true,
			};
		}
		case 'model_context_window_exceeded':
			return {
				reason,
				text: words.t("Cut: this chat is longer than the model's context. Start a new chat or edit an earlier turn."),
				notable: true,
			};
		default:
			return unknown(words, reason);
	}
}

/** Why a choice of a chat completion ended (spec "OpenAI surface", 2). */
export function chatCompletionsFinish(words: Localization, reason: string): Finish {
	switch (reason) {
		case 'stop':
			return { reason, text: words.t('finished'), notable: false };
		case 'tool_calls':
		case 'function_call':
			return { reason, text: words.t('asks for a tool'), notable: false };
		case 'length':
			return cutAtLimit(words, reason);
		case 'content_filter':
			return { reason, text: words.t('The service cut this reply: {0}.', blockWords(words, 'SAFETY')), notable: true };
		default:
			return unknown(words, reason);
	}
}

/** Why a completion of D ended (wire facts 3). */
export function completionsFinish(words: Localization, reason: string): Finish {
	switch (reason) {
		case 'stop_sequence':
			return { reason, text: words.t('finished, or stopped at a stop sequence'), notable: false };
		case 'max_tokens':
			return cutAtLimit(words, reason);
		case 'refusal':
			return { reason, text: words.t('The model refused to answer.'), notable: true };
		default:
			return unknown(words, reason);
	}
}

/** Why a candidate of E ended (wire facts 4.1). The list grows: an unknown one is shown as it is. */
export function contentFinish(words: Localization, reason: string, message?: unknown): Finish {
	const notable = (text: string): Finish => ({ reason, text, notable: true });
	switch (reason) {
		case 'STOP':
			return { reason, text: words.t('finished'), notable: false };
		case 'MAX_TOKENS':
			return cutAtLimit(words, reason);
		case 'SAFETY':
		case 'PROHIBITED_CONTENT':
		case 'BLOCKLIST':
		case 'IMAGE_SAFETY':
		case 'IMAGE_PROHIBITED_CONTENT':
			return notable(words.t('The service cut this reply: {0}.', blockWords(words, reason)));
		case 'RECITATION':
		case 'IMAGE_RECITATION':
			return notable(words.t('The service cut this reply because it repeats a published text.'));
		case 'LANGUAGE':
			return notable(words.t('The model does not speak the language of this chat.'));
		case 'SPII':
			return notable(words.t('The service cut this reply because it may hold personal data.'));
		case 'MALFORMED_FUNCTION_CALL':
		case 'UNEXPECTED_TOOL_CALL':
		case 'TOO_MANY_TOOL_CALLS':
			return notable(words.t('The model called a tool in a way that the service refuses ({0}).', reason));
		case 'NO_IMAGE':
			return notable(words.t('The model was to make an image and made none.'));
		default:
			return typeof message === 'string' && message ? notable(message) : unknown(words, reason);
	}
}

/** Why a prompt or reply of E was blocked, as an end of a sentence (wire facts 4.1). */
export function blockWords(words: Localization, reason: string): string {
	switch (reason) {
		case 'SAFETY':
		case 'IMAGE_SAFETY':
			return words.t('its safety settings forbid it');
		case 'BLOCKLIST':
			return words.t('it holds a word that is blocked');
		case 'PROHIBITED_CONTENT':
		case 'IMAGE_PROHIBITED_CONTENT':
			return words.t('its content is prohibited');
		case 'MODEL_ARMOR':
			return words.t('the Model Armor filter forbids it');
		case 'JAILBREAK':
			return words.t('it looks like an attempt to get round its rules');
		default:
			return words.t('it gave the reason {0}', reason);
	}
}

function cutAtLimit(words: Localization, reason: string): Finish {
	return { reason, text: words.t('Cut at the token limit. Raise it in the settings, or ask to go on.'), notable: true };
}

function unknown(words: Localization, reason: string): Finish {
	return { reason, text: words.t('Ended with the reason {0}.', reason), notable: true };
}

function explanationOf(details: unknown): string | undefined {
	const explanation = typeof details === 'object' && details !== null ? (details as Record<string, unknown>)['explanation'] : undefined;
	return typeof explanation === 'string' && explanation ? explanation : undefined;
}
