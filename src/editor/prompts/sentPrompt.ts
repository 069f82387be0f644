import { getField, getFieldText, getItems, toFields } from '#base/records/plainValues.ts';
import type { PromptMessage } from '#pages/prompt/promptMessages.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import { getExecutionId } from '#runs/events/nodeData.ts';

/** A message as it was sent to a model. */
export type SentMessage = Pick<PromptMessage, 'role' | 'text'>;

/** A model call of a run. */
export interface SentPrompt {
	readonly messages: readonly SentMessage[];
	readonly model: string;
}

/**
 * Returns the messages that a node sent in a run: in one of its executions, or else in its last one. Undefined if the node didn't call a
 * model.
 */
export async function findSentPrompt(
	entries: AsyncIterable<JournalEntry>,
	node: string,
	execution?: string,
): Promise<SentPrompt | undefined> {
	let found: SentPrompt | undefined;
	for await (const entry of entries) {
		const data = 'event' in entry && 'data' in entry.event ? toFields(entry.event.data) : {};
		const processData = data['process_data'];
		const prompts = getItems(processData, 'prompts');
		if (data['node_id'] === node && prompts.length > 0 && (execution === undefined || getExecutionId(data as never) === execution)) {
			found = { messages: prompts.flatMap(toSentMessage), model: getFieldText(processData, 'model_name') };
		}
	}
	return found;
}

function toSentMessage(prompt: unknown): SentMessage[] {
	const role = getFieldText(prompt, 'role');
	const text = getField(prompt, 'text') ?? getField(prompt, 'content');
	return typeof text === 'string' ? [{ role: role === 'system' || role === 'assistant' ? role : 'user', text }] : [];
}
