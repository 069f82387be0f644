import type { ChatPart, Turn } from '#pages/chat/transcript/transcript.ts';

/** Result to send to the model for a tool call that never finished. */
export const notEnded = 'This tool was stopped before it ended.';

/**
 * Splits a reply with several rounds of tool calls into one turn of the model per round, each followed by a user turn with the results.
 * Calls that this editor started get a result if they have none, because services refuse conversations with missing results.
 */
export function splitToolTurns(turns: readonly Turn[]): Turn[] {
	return turns.flatMap(turn => (turn.role === 'assistant' ? splitToolRounds(turn) : [turn]));
}

function splitToolRounds(turn: Turn): Turn[] {
	const sent: Turn[] = [];
	let said: ChatPart[] = [];
	let results: ChatPart[] = [];
	const closeRound = () => {
		const calls = said.filter(part => part.kind === 'toolCall');
		const missing = calls.slice(results.length).filter(({ run }) => run !== undefined);
		const given = [
			...results,
			...missing.map(({ id, name }) => ({ kind: 'toolResult' as const, id, name, output: notEnded, isError: true })),
		];
		sent.push({ ...turn, parts: said }, ...(given.length > 0 ? [{ ...turn, role: 'user' as const, parts: given }] : []));
		said = [];
		results = [];
	};
	for (const part of turn.parts) {
		if (part.kind === 'toolResult') {
			results.push(part);
		} else {
			if (results.length > 0) {
				closeRound();
			}
			said.push(part);
		}
	}
	if (said.length > 0 || sent.length === 0) {
		closeRound();
	}
	return sent;
}
