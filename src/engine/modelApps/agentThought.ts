import { randomUUID } from 'node:crypto';
import type { AgentRound } from '../agent/agentOrder.ts';
import type { NodeContext } from '../nodes/nodeType.ts';

/** A round of an agent app as its users are told of it (`agent_thought`). */
export interface AgentThought {
	/** The same for all that is told of a round. */
	readonly id: string;
	/** Number of the round, from 1. */
	readonly position: number;
	readonly thought: string;
	/** Tools that are called, joined with semicolons. */
	readonly tool: string;
	readonly tool_labels: Readonly<Record<string, Readonly<Record<string, string>>>>;
	/** JSON: what each tool is given, by its name; empty before it is known. */
	readonly tool_input: string;
	/** JSON: what each tool gave, by its name; empty before it is known. */
	readonly observation: string;
}

/** Tells of the rounds of an agent app as its thoughts. */
export function thoughtsOf(context: Pick<NodeContext<unknown>, 'thought'>): (round: AgentRound) => void {
	const ids = new Map<number, string>();
	return round => {
		const id = ids.get(round.number) ?? randomUUID();
		ids.set(round.number, id);
		context.thought(thoughtOf(id, round));
	};
}

function thoughtOf(id: string, { number, state, thought, calls }: AgentRound): AgentThought {
	const names = [...new Set(calls.map(({ name }) => name))];
	const byName = (value: (call: AgentRound['calls'][number]) => unknown) =>
		calls.length > 0 ? JSON.stringify(Object.fromEntries(calls.map(call => [call.name, value(call)]))) : '';
	return {
		id,
		position: number,
		thought,
		tool: names.join(';'),
		tool_labels: Object.fromEntries(names.map(name => [name, { en_US: name, zh_Hans: name }])),
		tool_input: byName(call => call.input),
		observation: state === 'observed' ? byName(call => call.observation ?? '') : '',
	};
}
