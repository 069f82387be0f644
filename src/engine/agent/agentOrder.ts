import type { ModelReply } from '../nodes/model/modelText.ts';
import type { ModelMessage, ModelPart, ModelRequest, ModelTool } from '../run/engineTypes.ts';
import type { ToolResult } from '../tools/engineTool.ts';
import type { AgentLogEntry } from './agentLogs.ts';

/** How an agent calls its tools: with the model service's native tool calls, or with calls that the model writes as text. */
export type AgentStrategy = 'function_calling' | 'ReAct';

/** A tool of an agent. Parameters set in the agent file are neither shown to the model nor accepted from it. */
export interface AgentTool extends ModelTool {
	/** Provider of the tool, for logs. */
	readonly provider: string;
	/** Calls the tool. Rejects with a message for the model. */
	callTool(parameters: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolResult>;
	/** Returns the parameters including those set in the agent file, for logs. */
	completeParameters(parameters: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}

/** The task of an agent: its model, prompt, tools and limits. */
export interface AgentOrder {
	readonly strategy: AgentStrategy;
	/** The model's name and completion parameters. */
	readonly model: Pick<ModelRequest, 'model'> & Partial<ModelRequest>;
	/** Provider of the model, for logs. */
	readonly provider: string;
	/** System prompt. */
	readonly instruction: string;
	/** Earlier turns of the chat. */
	readonly history: readonly ModelMessage[];
	readonly query: ModelMessage['content'];
	/** Tools that the model can call. Their names may contain any characters; they are converted to names that model services accept. */
	readonly tools: readonly AgentTool[];
	/** Maximum number of model requests, at least 1. */
	readonly maxRounds: number;
	/**
	 * Handling of the round limit. `refuse-calls`: tool calls in the last round are refused with a message (agent nodes). `ask-once-more`:
	 * an extra round without tools asks for the final text, and a tool call in that round is an error (agent-chat apps).
	 */
	readonly atLimit: 'refuse-calls' | 'ask-once-more';
}

/** Services and callbacks that an agent uses. */
export interface AgentWork {
	/** Asks the model; `onPart` is called with each part as it arrives. */
	askModel(request: ModelRequest, onPart: (part: ModelPart) => void): Promise<ModelReply>;
	/** Aborted when the run is stopped. */
	readonly signal: AbortSignal;
	/** Called with each chunk of the agent's text. */
	streamText(piece: string): void;
	/** Called at the start and end of each round, model request and tool call. */
	log(entry: AgentLogEntry): void;
	/** Called when a round starts or changes state. */
	round?(round: AgentRound): void;
}

/** State of a round. */
export interface AgentRound {
	/** Number of the round, from 1. */
	readonly number: number;
	/** `asked`: the model has replied. `observed`: its calls have finished; skipped if there are none. */
	readonly state: 'started' | 'asked' | 'observed';
	/** Text written by the model. */
	readonly thought: string;
	readonly calls: readonly AgentCall[];
	/** The model's reply, once received. */
	readonly reply?: ModelReply;
}

/** A tool call. */
export interface AgentCall {
	readonly id: string;
	readonly name: string;
	readonly input: unknown;
	/** Result of the call, as passed to the model. */
	readonly observation?: string;
}

/** Result of an agent's work. */
export interface AgentResult {
	/** The complete text. */
	readonly text: string;
	/** The model's replies, one per round. */
	readonly replies: readonly ModelReply[];
	/** Log entries in their final state. */
	readonly logs: readonly AgentLogEntry[];
}
