import type { ModelReply } from '../nodes/model/modelText.ts';
import type { ModelMessage, ModelPart, ModelRequest, ModelTool } from '../run/engineTypes.ts';
import type { ToolResult } from '../tools/engineTool.ts';
import type { AgentLogEntry } from './agentLogs.ts';

/** How an agent calls its tools: through the tool calls of the model's service, or by text that the model writes. */
export type AgentStrategy = 'function_calling' | 'ReAct';

/** A tool of an agent. Parameters set in the agent file are neither shown to the model nor accepted from it. */
export interface AgentTool extends ModelTool {
	/** Provider of the tool, for logs. */
	readonly provider: string;
	/** Calls the tool. Rejects with a message for the model. */
	use(parameters: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolResult>;
	/** Returns the parameters as completed by {@link use}, for logs. */
	complete(parameters: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}

/** Task of an agent. */
export interface AgentOrder {
	readonly strategy: AgentStrategy;
	/** Name of the model, and completion parameters. */
	readonly model: Pick<ModelRequest, 'model'> & Partial<ModelRequest>;
	/** Provider of the model, for logs. */
	readonly provider: string;
	/** System prompt. */
	readonly instruction: string;
	/** Earlier turns of the chat. */
	readonly history: readonly ModelMessage[];
	readonly query: ModelMessage['content'];
	/** Names may contain any characters; they are converted to names that model services accept. */
	readonly tools: readonly AgentTool[];
	/** Maximum number of model requests, at least 1. */
	readonly maxRounds: number;
	/**
	 * How calls are handled at the limit. In the last round they are refused with a message (agent nodes), or one more round without tools
	 * asks for the final text, and a call in it fails (agent-chat apps).
	 */
	readonly atLimit: 'refuse-calls' | 'ask-once-more';
}

/** Services and callbacks that an agent uses. */
export interface AgentWork {
	/** Asks the model; `onPart` is called with each part as it arrives. */
	ask(request: ModelRequest, onPart: (part: ModelPart) => void): Promise<ModelReply>;
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
	/** Counts from 1. */
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
	/** The whole text. */
	readonly text: string;
	/** The model's replies, one per round. */
	readonly replies: readonly ModelReply[];
	/** Log entries in their final state. */
	readonly logs: readonly AgentLogEntry[];
}
