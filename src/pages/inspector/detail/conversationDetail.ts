import { toFields } from '#base/records/plainValues.ts';
import { cutText } from '#base/text/cutText.ts';

/** A message of a model call as the page shows it. */
interface ShownMessage {
	/** As the service sent it: `system`, `user`, `assistant`, `tool`. */
	readonly role: string;
	readonly text: string;
}

/** A model call: its prompt and reply with token counts. */
export interface ShownConversation {
	readonly messages: readonly ShownMessage[];
	readonly model?: string;
	/** Finish reason as the service sent it. */
	readonly finish?: string;
	readonly tokensIn?: number;
	readonly tokensOut?: number;
}

/** Maximum length of a shown message, in UTF-16 units. The run record has the rest. */
const longestMessage = 100_000;
/** Maximum number of messages shown. Earlier ones are dropped. */
const mostMessages = 200;

/** Reads the model call of a node from `process_data.prompts`; undefined for nodes without prompts. */
export function readConversation(processData: unknown, outputs: unknown): ShownConversation | undefined {
	const data = toFields(processData);
	const prompts = Array.isArray(data['prompts']) ? data['prompts'].flatMap(toShownMessages) : [];
	if (prompts.length === 0) {
		return undefined;
	}
	const out = toFields(outputs);
	const reply = readString(out['text']);
	const usage = { ...toFields(data['usage']), ...toFields(out['usage']) };
	const model = readString(data['model_name']);
	const finish = readString(out['finish_reason']) ?? readString(data['finish_reason']);
	const [tokensIn, tokensOut] = [readCount(usage['prompt_tokens']), readCount(usage['completion_tokens'])];
	return {
		messages: [...prompts.slice(-mostMessages), ...(reply ? [{ role: 'assistant', text: cutText(reply, longestMessage) }] : [])],
		...(model && { model }),
		...(finish && { finish }),
		...(tokensIn !== undefined && { tokensIn }),
		...(tokensOut !== undefined && { tokensOut }),
	};
}

function toShownMessages(prompt: unknown): ShownMessage[] {
	const { role, text, content } = toFields(prompt);
	const shown = readString(text) ?? readString(content) ?? (content === undefined ? undefined : JSON.stringify(content, undefined, 2));
	return shown === undefined ? [] : [{ role: readString(role) ?? '', text: cutText(shown, longestMessage) }];
}

function readString(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}

function readCount(value: unknown): number | undefined {
	return typeof value === 'number' && value > 0 ? value : undefined;
}
