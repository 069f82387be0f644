import type { ModelReply } from '../nodes/model/modelText.ts';
import { sumUsageMetadata } from '../nodes/model/modelText.ts';
import { NodeError } from '../nodes/nodeError.ts';
import type { ModelMessage, ModelToolCall } from '../run/engineTypes.ts';
import type { AgentLogs, OpenLog } from './agentLogs.ts';
import type { AgentCall, AgentOrder, AgentWork } from './agentOrder.ts';
import { type ToolCallEnd, ToolCalls } from './toolCalls.ts';

/** Maximum number of tool calls made for one reply. If the model requests more, it gets a message about the limit. */
const maxCallsInRound = 32;

/** Runs rounds in which the model uses native tool calls (`function_calling`). */
export class CallingRounds {
	readonly #order: AgentOrder;
	readonly #work: AgentWork;
	readonly #logs: AgentLogs;
	readonly #calls: ToolCalls;
	/** Messages of the previous rounds. */
	readonly #said: ModelMessage[] = [];

	constructor(order: AgentOrder, work: AgentWork, logs: AgentLogs) {
		this.#order = order;
		this.#work = work;
		this.#logs = logs;
		this.#calls = new ToolCalls(order.tools, work.signal, logs);
	}

	/** Runs round `number`, counting from 1. @returns true if another round is needed */
	async runRound(number: number): Promise<boolean> {
		const { maxRounds } = this.#order;
		const log = this.#logs.start(`ROUND ${number}`);
		this.#work.round?.({ number, state: 'started', thought: '', calls: [] });
		const reply = await this.#askModel(number, log);
		const thought = reply.text;
		this.#work.round?.({ number, state: 'asked', thought, calls: reply.calls.map(parseToolCall), reply });
		if (reply.calls.length > 0 && number > maxRounds) {
			throw new NodeError(
				`The agent reached its limit of ${maxRounds} iterations and its model still calls tools. Raise the limit, or ask for less at once.`,
				'AgentMaxIterationError',
			);
		}
		this.#said.push({ role: 'assistant', content: thought, calls: reply.calls, thoughts: reply.thoughts });
		const responses = await this.#makeCalls(number, reply.calls, log);
		if (responses.length > 0) {
			this.#work.streamText('\n');
			this.#work.round?.({
				number,
				state: 'observed',
				thought,
				calls: reply.calls.map((call, index) => ({ ...parseToolCall(call), observation: responses[index]?.tool_response ?? '' })),
				reply,
			});
		}
		log.endEntry({ data: { output: { llm_response: thought, tool_responses: responses } }, metadata: sumUsageMetadata(reply) });
		if (maxRounds === 1 && this.#order.atLimit === 'refuse-calls') {
			this.#work.streamText(responses.map(({ tool_response }) => tool_response).join(''));
		}
		return responses.length > 0;
	}

	async #askModel(number: number, round: OpenLog): Promise<ModelReply> {
		const { model, provider, instruction, history, query, tools, maxRounds } = this.#order;
		const log = this.#logs.start(`${model.model} Thought`, round, provider);
		const last = number >= maxRounds;
		let called = false;
		const reply = await this.#work.askModel(
			{
				...model,
				messages: [
					...(instruction === '' ? [] : [{ role: 'system' as const, content: instruction }]),
					...history,
					{ role: 'user', content: query },
					...this.#said,
				],
				...(tools.length > 0 && { tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })) }),
				...(number > maxRounds && tools.length > 0 && { callsNoTools: true }),
			},
			part => {
				called ||= part.type === 'call';
				if (part.type === 'text' && (!called || last)) {
					this.#work.streamText(part.text);
				}
			},
		);
		const { text, reasoning, calls } = reply;
		log.endEntry({
			data: {
				output: text,
				...(reasoning !== '' && { thought: reasoning }),
				tool_name: calls.map(({ name }) => name).join(';'),
				tool_input: calls.map(call => ({ name: call.name, args: parseToolCall(call).input })),
			},
			metadata: sumUsageMetadata(reply),
		});
		return reply;
	}

	/** Makes the calls sequentially, in the model's order: a call may depend on an earlier one. */
	async #makeCalls(number: number, calls: readonly ModelToolCall[], round: OpenLog): Promise<ReturnType<typeof formatToolResponse>[]> {
		const { maxRounds, atLimit } = this.#order;
		const responses: ReturnType<typeof formatToolResponse>[] = [];
		const spent = number === maxRounds && maxRounds > 1 && atLimit === 'refuse-calls';
		for (const [index, call] of calls.entries()) {
			const { name, input } = call;
			const formatLogData = (end: ToolCallEnd) => ({ output: formatToolResponse(call, end) });
			const refusal = spent ? formatLimitMessage(maxRounds, name) : index >= maxCallsInRound ? tooManyText : undefined;
			const end =
				refusal === undefined
					? await this.#calls.makeCall(name, input, round, formatLogData)
					: this.#calls.refuseCall(name, refusal, round, formatLogData);
			responses.push(formatToolResponse(call, end));
			this.#said.push({ role: 'tool', content: end.observation, answers: call });
		}
		return responses;
	}
}

/** Returns the message for a model that calls a tool in its last round, as in the hosted service. */
export function formatLimitMessage(rounds: number, tool: string): string {
	return `Maximum iteration limit (${rounds}) reached. Cannot call tool '${tool}'. Please consider increasing the iteration limit.`;
}

const tooManyText = `Too many calls at once: only the first ${maxCallsInRound} of a reply are made.`;

function formatToolResponse({ id, name }: ModelToolCall, { observation, parameters }: ToolCallEnd) {
	return { tool_call_id: id, tool_call_name: name, tool_call_input: parameters, tool_response: observation };
}

function parseToolCall({ id, name, input }: ModelToolCall): AgentCall {
	try {
		return { id, name, input: input === '' ? {} : JSON.parse(input) };
	} catch {
		return { id, name, input };
	}
}
