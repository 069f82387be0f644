import { getField, getFieldText, isRecord, toFields } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { WorkflowEvent } from '#contract/events.ts';

/** A call of a tool, by an agent or by a tool node. */
export interface TracedCall {
	/** ID of the node; absent for agents without nodes. */
	readonly node?: string;
	/** Iteration of the agent, from 1; absent for tool nodes. */
	readonly round?: number;
	readonly tool: string;
	readonly provider?: string;
	readonly arguments: Readonly<Record<string, unknown>>;
	readonly result?: unknown;
	/** Why the call failed. */
	readonly error?: string;
}

/** Prefix of the log entries of calls. */
const callLabel = 'CALL ';

/** Collects the tool calls of a run from all events that report them: logs of agents, thoughts of agent apps, and tool nodes. */
export class ToolCallCollector {
	/** Calls in the order of their start, by the ID of the log entry or node execution. */
	readonly #calls = new Map<string, TracedCall>();
	/** Calls of each thought, by its ID. */
	readonly #thoughts = new Map<string, readonly TracedCall[]>();
	readonly #rounds = new Map<string, number>();
	readonly #nodes = new Map<string, string>();
	#hasLogs = false;

	/** The calls in the order in which they started, with one that the end of the run cut off: its tool may have done everything. */
	get calls(): readonly TracedCall[] {
		// agent apps report each call twice: in a log and in a thought
		const thought = this.#hasLogs ? [] : [...this.#thoughts.values()].flat();
		return [...thought, ...this.#calls.values()];
	}

	add(event: WorkflowEvent): void {
		const data = toFields(getField(event, 'data'));
		const id = getFieldText(data, 'id');
		switch (event.event as string) {
			case 'agent_log':
				this.#addLog(id, data);
				break;
			case 'agent_thought':
				this.#thoughts.set(getFieldText(event, 'id'), readThought(toFields(event)));
				break;
			case 'node_started':
				this.#nodes.set(id, getFieldText(data, 'node_id'));
				if (data['node_type'] === 'tool') {
					this.#calls.set(id, readToolNode(data));
				}
				break;
			case 'node_finished':
				if (data['node_type'] === 'tool') {
					this.#calls.set(id, readToolNode(data));
				}
				break;
		}
	}

	#addLog(id: string, data: Readonly<Record<string, unknown>>): void {
		const label = getFieldText(data, 'label');
		const round = /^ROUND (\d+)/.exec(label)?.[1];
		if (round !== undefined) {
			this.#rounds.set(id, Number(round));
		}
		if (!label.startsWith(callLabel)) {
			return;
		}
		this.#hasLogs = true;
		const node = getFieldText(data, 'node_id') || this.#nodes.get(getFieldText(data, 'node_execution_id'));
		const number = this.#rounds.get(getFieldText(data, 'parent_id'));
		const provider = getFieldText(data['metadata'], 'provider');
		const error = getFieldText(data, 'error');
		this.#calls.set(id, {
			...(node && { node }),
			...(number !== undefined && { round: number }),
			...(provider && { provider }),
			...readLogData(toFields(data['data']), label.slice(callLabel.length)),
			...(error && { error }),
		});
	}
}

/** Reads the data of a call's log entry: of function calls, or of actions that a model wrote (ReAct). */
function readLogData(data: Readonly<Record<string, unknown>>, name: string): Pick<TracedCall, 'tool' | 'arguments' | 'result'> {
	const { output } = data;
	return isRecord(output)
		? {
				tool: getFieldText(output, 'tool_call_name') || name,
				arguments: readArguments(output['tool_call_input']),
				result: output['tool_response'],
			}
		: { tool: getFieldText(data, 'tool_name') || name, arguments: readArguments(data['tool_call_args']), result: output };
}

function readToolNode(data: Readonly<Record<string, unknown>>): TracedCall {
	const info = getField(data['execution_metadata'], 'tool_info');
	const provider = getFieldText(info, 'provider_id');
	const error = getFieldText(data, 'error');
	return {
		node: getFieldText(data, 'node_id'),
		// only the built-in gateway reports the name of the tool
		tool: getFieldText(info, 'tool_name') || getFieldText(data, 'title'),
		...(provider && { provider }),
		arguments: toFields(data['inputs']),
		result: data['outputs'],
		...(error && { error }),
	};
}

/** Reads the calls of a thought, whose inputs and results are JSON by tool name. A tool that was called twice has only one of them. */
function readThought(event: Readonly<Record<string, unknown>>): readonly TracedCall[] {
	const [inputs, results] = ['tool_input', 'observation'].map(field => tryParseJson(getFieldText(event, field)));
	return getFieldText(event, 'tool')
		.split(';')
		.filter(name => name !== '')
		.map(tool => ({
			round: Number(event['position']),
			tool,
			arguments: readArguments(getField(inputs, tool) ?? inputs),
			result: getField(results, tool) ?? getFieldText(event, 'observation'),
		}));
}

function readArguments(value: unknown): Readonly<Record<string, unknown>> {
	return toFields(typeof value === 'string' ? tryParseJson(value) : value);
}
