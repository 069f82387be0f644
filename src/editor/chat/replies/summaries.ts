import type { Turn } from '#pages/chat/transcript/transcript.ts';
import type { ReplyStep } from '../endpoints/endpoint.ts';

/** Number of turns at the end of a chat that are never summarized: the last message and its reply. */
const keptTurns = 2;

const prompt =
	'Summarize the conversation so far, so that you can continue it without the earlier messages. Keep facts, decisions, names, file paths, ' +
	'code that is still needed, and open questions. Reply with the summary only.';

/** Returns the last turn that a summary of a chat would include, or undefined if there's nothing to summarize. */
export function findSummaryEnd(path: readonly Turn[]): Turn | undefined {
	const done = path.findLastIndex(turn => turn.summary !== undefined);
	return path.slice(done + 1, -keptTurns).findLast(turn => turn.role === 'assistant' && turn.parts.some(part => part.kind === 'text'));
}

/** Replaces the turns up to the last summary by the summary, as the user's message. */
export function foldSummarizedTurns(path: readonly Turn[]): Turn[] {
	const end = path.findLastIndex(turn => turn.summary !== undefined);
	const { id, summary } = path[end] ?? {};
	if (id === undefined || summary === undefined) {
		return [...path];
	}
	return [createMessage(id, `Summary of the conversation so far:\n\n${summary}`), ...path.slice(end + 1)];
}

/** Returns the turns of a request for a summary. */
export function createSummaryRequest(path: readonly Turn[]): Turn[] {
	return [...foldSummarizedTurns(path), createMessage('summary', prompt)];
}

/** Reads the text of a reply. */
export async function readSummary(steps: AsyncIterable<ReplyStep>): Promise<string> {
	let text = '';
	const texts = new Set<number>();
	let count = 0;
	for await (const step of steps) {
		if (step.type === 'part') {
			if (step.part.kind === 'text') {
				texts.add(count);
				text += step.part.text;
			}
			count++;
		} else if (step.type === 'text' && texts.has(step.index)) {
			text += step.text;
		}
	}
	return text.trim();
}

function createMessage(id: string, text: string): Turn {
	return { id, parent: null, role: 'user', parts: [{ kind: 'text', text }], at: 0 };
}
