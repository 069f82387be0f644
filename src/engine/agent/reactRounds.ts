import { sumUsageMetadata } from '../nodes/model/modelText.ts';
import { NodeError } from '../nodes/nodeError.ts';
import type { ModelMessage } from '../run/engineTypes.ts';
import type { AgentLogs, OpenLog } from './agentLogs.ts';
import type { AgentOrder, AgentWork } from './agentOrder.ts';
import { formatLimitMessage } from './callingRounds.ts';
import { type ReactAction, type ReactEnd, ReactReply } from './reactReply.ts';
import { ToolCalls } from './toolCalls.ts';

/** Message for a model whose action can't be parsed. */
const unreadable =
	'The action could not be read. Write "Action:" and one JSON object with "action" and "action_input", or "FinalAnswer:" and the answer.';

/** Runs rounds in which the model writes its tool calls as text, and gets their results in the same text (`ReAct`). */
export class ReactRounds {
	readonly #order: AgentOrder;
	readonly #work: AgentWork;
	readonly #logs: AgentLogs;
	readonly #calls: ToolCalls;
	/** The previous rounds, as the model sees them. */
	#scratchpad = '';

	constructor(order: AgentOrder, work: AgentWork, logs: AgentLogs) {
		this.#order = order;
		this.#work = work;
		this.#logs = logs;
		this.#calls = new ToolCalls(order.tools, work.signal, logs);
	}

	/** Runs round `number`, counting from 1. @returns true if another round is needed */
	async runRound(number: number): Promise<boolean> {
		const { model, provider, maxRounds, atLimit, tools } = this.#order;
		const round = this.#logs.start(`ROUND ${number}`);
		this.#work.round?.({ number, state: 'started', thought: '', calls: [] });
		const modelLog = this.#logs.start(`${model.model} Thought`, round, provider);
		const written = new ReactReply();
		const reply = await this.#work.askModel(
			{
				...model,
				messages: this.#buildMessages(number),
				stop: [...(model.stop ?? []).filter(stop => stop !== 'Observation'), 'Observation'],
				...(number <= maxRounds && {
					toolsInPrompt: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
				}),
			},
			part => {
				if (part.type === 'text') {
					this.#work.streamText(written.push(part.text));
				}
			},
		);
		const { thought, action, rest, failed } = written.endReply();
		this.#work.streamText(rest);
		const data = { thought, action: action?.name ?? reply.text, ...(action && { action_input: action.input }) };
		modelLog.endEntry({ data, metadata: sumUsageMetadata(reply) });
		const call = action && !isFinalAnswer(action) ? { id: `${round.id}`, name: action.name, input: action.input } : undefined;
		this.#work.round?.({ number, state: 'asked', thought, calls: call ? [call] : [], reply });
		if (call && number > maxRounds) {
			throw new NodeError(
				`The agent reached its limit of ${maxRounds} iterations and its model still calls tools. Raise the limit, or ask for less at once.`,
				'AgentMaxIterationError',
			);
		}
		const last = number >= maxRounds && (atLimit === 'refuse-calls' || number > maxRounds);
		const observation = await this.#getObservation(action, failed, last, round);
		if (call) {
			this.#work.round?.({ number, state: 'observed', thought, calls: [{ ...call, observation: observation ?? '' }], reply });
		}
		this.#scratchpad += formatScratchpad({ thought, action, rest, failed }, observation);
		round.endEntry({
			data: { action_name: action?.name ?? '', action_input: action?.input ?? '', thought, observation: observation ?? '' },
			metadata: sumUsageMetadata(reply),
		});
		return this.#needsAnotherRound({ thought, action, rest, failed }, written.hasAnswer, observation, last);
	}

	/** Returns the action's result for the model; undefined if there was no action. */
	async #getObservation(action: ReactAction | undefined, failed: boolean, last: boolean, round: OpenLog): Promise<string | undefined> {
		if (!action || isFinalAnswer(action)) {
			return failed && !last ? unreadable : undefined;
		}
		const { name, input } = action;
		const formatLogData = ({ observation, parameters }: { observation: string; parameters: unknown }) => ({
			tool_name: name,
			tool_call_args: parameters,
			output: observation,
		});
		const end = last
			? this.#calls.refuseCall(name, formatLimitMessage(this.#order.maxRounds, name), round, formatLogData)
			: await this.#calls.makeCall(name, input, round, formatLogData);
		return end.observation;
	}

	/** Emits the final answer if this round contains it in any form. */
	#needsAnotherRound({ thought, action }: ReactEnd, answered: boolean, observation: string | undefined, last: boolean): boolean {
		if (action && isFinalAnswer(action)) {
			this.#work.streamText(typeof action.input === 'string' ? action.input : JSON.stringify(action.input));
			return false;
		}
		if (observation !== undefined && !last) {
			return true;
		}
		if (observation !== undefined) {
			this.#work.streamText(observation);
		} else if (!answered) {
			this.#work.streamText(thought);
		}
		return false;
	}

	#buildMessages(number: number): readonly ModelMessage[] {
		const { instruction, history, query, tools, maxRounds } = this.#order;
		const offered = number > maxRounds ? [] : tools;
		const names = offered.map(({ name }) => name).join(', ');
		const shown = JSON.stringify(offered.map(({ name, description, parameters }) => ({ name, description, parameters })));
		const begun: readonly ModelMessage[] =
			this.#scratchpad === ''
				? []
				: [
						{ role: 'assistant', content: this.#scratchpad },
						{ role: 'user', content: 'continue' },
					];
		return [
			{ role: 'system', content: buildProtocolPrompt(instruction, shown, names) },
			...history,
			{ role: 'user', content: query },
			...begun,
		];
	}
}

function isFinalAnswer({ name }: ReactAction): boolean {
	return /^final ?answer$/i.test(name);
}

function formatScratchpad({ thought, action }: ReactEnd, observation: string | undefined): string {
	return [
		`Thought: ${thought}\n\n`,
		...(action ? [`Action: ${JSON.stringify({ action: action.name, action_input: action.input })}\n\n`] : []),
		...(observation === undefined ? [] : [`Observation: ${observation}\n\n`]),
	].join('');
}

/** Describes the expected format to the model, in the same terms as the hosted service. */
function buildProtocolPrompt(instruction: string, tools: string, names: string): string {
	return `${instruction}

Answer the human as well as you can. These tools are there, as JSON:

${tools}

To use one, write a JSON object with the key "action" (its name: ${names || 'none is left'}) and the key "action_input" (its parameters), one at a time:

{"action": $TOOL_NAME, "action_input": $ACTION_INPUT}

Keep to this format:

Question: what the human asks
Thought: what has to be done next
Action: $JSON_OBJECT
Observation: what the tool gave; you are told it, never write it yourself
... (Thought, Action and Observation as often as needed)
Thought: I know what to answer
FinalAnswer: the answer to the human

Use tools where they help. Answer at once where none is needed.`.trimStart();
}
