import type { ModelReply } from '../nodes/model/modelText.ts';
import type { ModelMessage, ModelPart, ModelRequest, ModelTool } from '../run/engineTypes.ts';
import type { ToolResult } from '../tools/engineTool.ts';
import type { AgentLogEntry } from './agentLogs.ts';

/** How an agent calls its tools: as its model's service has it, or by what the model writes. */
export type AgentStrategy = 'function_calling' | 'ReAct';

/** A tool as an agent has it: what the file fixes of its parameters is neither told to the model nor taken from it. */
export interface AgentTool extends ModelTool {
	/** Who offers it, for logs. */
	readonly provider: string;
	/** Uses it. Rejects with a sentence that the model is told. */
	use(parameters: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolResult>;
	/** Parameters as {@link use} completes them, for logs. */
	complete(parameters: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}

/** What an agent is to do. */
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
	/** Their names may be any: models call them by such as their services take. */
	readonly tools: readonly AgentTool[];
	/** Rounds in which the model is asked, from 1. */
	readonly maxRounds: number;
	/**
	 * What becomes of calls when the rounds are used up: in the last one they are answered with a text that says so (agent nodes), or a further round
	 * without tools asks for the answer, and a call in it fails (agent-chat apps).
	 */
	readonly atLimit: 'refuse-calls' | 'ask-once-more';
}

/** What an agent works with. */
export interface AgentWork {
	/** Asks the model; `onPart` sees each piece as it comes. */
	ask(request: ModelRequest, onPart: (part: ModelPart) => void): Promise<ModelReply>;
	/** Aborted when the run is stopped. */
	readonly signal: AbortSignal;
	/** A piece of the agent's text. */
	text(piece: string): void;
	/** The beginning or the end of a round, of a question to the model or of a call. */
	log(entry: AgentLogEntry): void;
	/** A round began, or went on. */
	round?(round: AgentRound): void;
}

/** A round as far as it has come. */
export interface AgentRound {
	/** From 1. */
	readonly number: number;
	/** `asked`: the model has answered. `observed`: its calls were made; only where there are some. */
	readonly state: 'started' | 'asked' | 'observed';
	/** What the model wrote. */
	readonly thought: string;
	readonly calls: readonly AgentCall[];
	/** The model's answer, where it was given. */
	readonly reply?: ModelReply;
}

/** One call of a tool. */
export interface AgentCall {
	readonly id: string;
	readonly name: string;
	readonly input: unknown;
	/** What the model is told of it. */
	readonly observation?: string;
}

/** What an agent came to. */
export interface AgentResult {
	/** All pieces of its text. */
	readonly text: string;
	/** What the model answered, a reply a round. */
	readonly replies: readonly ModelReply[];
	/** What was logged, each entry as it ended. */
	readonly logs: readonly AgentLogEntry[];
}
