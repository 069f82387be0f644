import { fieldsOf } from '#base/records/plainValues.ts';
import { cutText } from '#base/text/cutText.ts';

/** What was said in a model's call, as the page shows it. */
interface ShownMessage {
	/** The service's word: `system`, `user`, `assistant`, `tool`. */
	readonly role: string;
	readonly text: string;
}

/** A model's call: what it was told and what it answered, and what that took. */
export interface ShownConversation {
	readonly messages: readonly ShownMessage[];
	readonly model?: string;
	/** Why it ended, in the service's word. */
	readonly finish?: string;
	readonly tokensIn?: number;
	readonly tokensOut?: number;
}

/** More of a message is not shown, in UTF-16 units; the run's record has it. */
const longestMessage = 100_000;
/** More messages are not shown; the last ones are. */
const mostMessages = 200;

/** The call of a node's model, where the node tells its prompts (`process_data.prompts`); `undefined` for any other node. */
export function conversationOf(processData: unknown, outputs: unknown): ShownConversation | undefined {
	const told = fieldsOf(processData);
	const prompts = Array.isArray(told['prompts']) ? told['prompts'].flatMap(messageOf) : [];
	if (prompts.length === 0) {
		return undefined;
	}
	const out = fieldsOf(outputs);
	const reply = textOf(out['text']);
	const usage = { ...fieldsOf(told['usage']), ...fieldsOf(out['usage']) };
	const model = textOf(told['model_name']);
	const finish = textOf(out['finish_reason']) ?? textOf(told['finish_reason']);
	const [tokensIn, tokensOut] = [countOf(usage['prompt_tokens']), countOf(usage['completion_tokens'])];
	return {
		messages: [...prompts.slice(-mostMessages), ...(reply ? [{ role: 'assistant', text: cutText(reply, longestMessage) }] : [])],
		...(model && { model }),
		...(finish && { finish }),
		...(tokensIn !== undefined && { tokensIn }),
		...(tokensOut !== undefined && { tokensOut }),
	};
}

function messageOf(prompt: unknown): ShownMessage[] {
	const { role, text, content } = fieldsOf(prompt);
	const said = textOf(text) ?? textOf(content) ?? (content === undefined ? undefined : JSON.stringify(content, undefined, 2));
	return said === undefined ? [] : [{ role: textOf(role) ?? '', text: cutText(said, longestMessage) }];
}

function textOf(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}

function countOf(value: unknown): number | undefined {
	return typeof value === 'number' && value > 0 ? value : undefined;
}
