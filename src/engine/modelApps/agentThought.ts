import { randomUUID } from 'node:crypto';
import type { AgentRound } from '../agent/agentOrder.ts';
import type { NodeContext } from '../nodes/nodeType.ts';

/** An iteration of an agent app in the form that clients receive (`agent_thought`). */
export interface AgentThought {
	/** ID shared by all events of an iteration. */
	readonly id: string;
	/** Number of the iteration, from 1. */
	readonly position: number;
	readonly thought: string;
	/** Names of the called tools, joined with semicolons. */
	readonly tool: string;
	readonly tool_labels: Readonly<Record<string, Readonly<Record<string, string>>>>;
	/** Input of each tool by tool name, as JSON; empty until known. */
	readonly tool_input: string;
	/** Output of each tool by tool name, as JSON; empty until known. */
	readonly observation: string;
}

/** Returns a listener that emits the iterations of an agent app as thoughts. */
export function createThoughtReporter(context: Pick<NodeContext<unknown>, 'reportThought'>): (round: AgentRound) => void {
	const ids = new Map<number, string>();
	return round => {
		const id = ids.get(round.number) ?? randomUUID();
		ids.set(round.number, id);
		context.reportThought(toThought(id, round));
	};
}

function toThought(id: string, { number, state, thought, calls }: AgentRound): AgentThought {
	const names = [...new Set(calls.map(({ name }) => name))];
	const groupByName = (value: (call: AgentRound['calls'][number]) => unknown) =>
		calls.length > 0 ? JSON.stringify(Object.fromEntries(calls.map(call => [call.name, value(call)]))) : '';
	return {
		id,
		position: number,
		thought,
		tool: names.join(';'),
		tool_labels: Object.fromEntries(names.map(name => [name, { en_US: name, zh_Hans: name }])),
		tool_input: groupByName(call => call.input),
		observation: state === 'observed' ? groupByName(call => call.observation ?? '') : '',
	};
}
