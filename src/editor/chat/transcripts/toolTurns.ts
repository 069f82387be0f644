import type { ChatPart, Turn } from '#pages/chat/transcript/transcript.ts';

/** Result sent to the model for a tool call that never ended. */
export const notEnded = 'This tool was stopped before it ended.';

/**
 * Splits turns as endpoints send them: a reply with several rounds of tool calls becomes as many turns of the model, each followed by a
 * user turn with the results. Calls started by this editor without a result get one, since services refuse conversations without it.
 */
export function splitToolTurns(turns: readonly Turn[]): Turn[] {
	return turns.flatMap(turn => (turn.role === 'assistant' ? splitRounds(turn) : [turn]));
}

function splitRounds(turn: Turn): Turn[] {
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
