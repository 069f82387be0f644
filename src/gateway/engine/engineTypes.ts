import type { NodeResultData, WorkflowEvent } from '../../protocol/events.ts';
import type { FileObject, RunData } from '../../protocol/workflows.ts';
import type { CodeRunner } from './code/codeRunner.ts';
import type { UploadedFile } from './fileValue.ts';

/** One run, as the gateway asks the engine for it. IDs are UUIDs chosen by the caller. */
export interface RunOptions {
	readonly runId: string;
	readonly taskId: string;
	readonly workflowId: string;
	readonly appId: string;
	/** Counts the runs of an agent from 1 (contract, workflow_started). */
	readonly sequenceNumber: number;
	/** Already checked against the start node's variables (see `checkInputs`). */
	readonly inputs: Readonly<Record<string, unknown>>;
	readonly files: readonly FileObject[];
	/** End user, as the caller named it; `sys.user_id`. */
	readonly user: string;
	/** Present in a chat with an agent (chatflow). */
	readonly chat?: ChatContext;
	/** Aborting stops the run: in-flight work ends at once, and the run ends with status `stopped`. */
	readonly signal: AbortSignal;
	/** Called for each event in causal order, synchronously: must not throw, and returns before the next event. */
	readonly emit: (event: WorkflowEvent) => void;
	/** Called with each node's whole record when it ends, where events carry previews of big values; same rules as `emit`. */
	readonly record?: (record: NodeResultData) => void;
}

/** What a chatflow knows of its conversation. */
export interface ChatContext {
	readonly query: string;
	readonly conversationId: string;
	/** Turns before this one: `sys.dialogue_count`. */
	readonly dialogueCount: number;
	/** Values of conversation variables kept from the turns before. */
	readonly variables: Readonly<Record<string, unknown>>;
	readonly history: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
}

/** How a run ended: `data` is that of its workflow_finished event. Never rejects for a node's failure. */
export interface RunOutcome {
	readonly data: RunData;
	/** Conversation variables after the run, to be kept for the next turn. */
	readonly variables: Readonly<Record<string, unknown>>;
	/** IDs of the nodes that no taken edge led to, outside of iterations and loops; sorted. */
	readonly skippedNodes: readonly string[];
}

/** What nodes need from the gateway around them. */
export interface EngineServices {
	readonly models: TextModels;
	readonly settings: EngineSettings;
	/** Runs JavaScript of code nodes; one for the whole gateway (`new CodeRunner()`). */
	readonly code: CodeRunner;
	readonly files: EngineFiles;
}

/** Files that users have uploaded. */
export interface EngineFiles {
	/** What is known of an upload; `undefined` if there is no such upload. */
	describe(uploadId: string): UploadedFile | undefined;
	/** Bytes of an upload. Rejects if there is no such upload. */
	read(uploadId: string, signal: AbortSignal): Promise<Uint8Array>;
}

/** What an administrator allows nodes to do. */
export interface EngineSettings {
	/** Whether http-request may reach private, loopback and link-local addresses. */
	readonly allowPrivateNetwork: boolean;
	/** Python to run `python3` code nodes with; absent: they fail and say how to switch it on. */
	readonly python?: string;
	/** Nodes that one run may start, retries included; 500 unless set, as in the hosted service. */
	readonly maxSteps?: number;
	/** Seconds that one run may take; 1200 unless set, as in the hosted service. */
	readonly maxSeconds?: number;
}

/** Text generation for llm, question-classifier and parameter-extractor nodes: any model of the gateway's routing table. */
export interface TextModels {
	/** Streams a reply. Rejects with a sentence that a user can act on; stops when the signal aborts. */
	stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

export interface ModelRequest {
	/** Name to look up in the routing table. */
	readonly model: string;
	readonly messages: readonly ModelMessage[];
	readonly maxTokens?: number;
	readonly temperature?: number;
	readonly topP?: number;
	readonly topK?: number;
	readonly stop?: readonly string[];
	/** JSON schema that the reply must follow (structured output). */
	readonly responseSchema?: Readonly<Record<string, unknown>>;
}

export interface ModelMessage {
	readonly role: 'system' | 'user' | 'assistant';
	readonly content: string | readonly ModelContentPart[];
}

export type ModelContentPart =
	| { readonly type: 'text'; readonly text: string }
	/** An image by URL or as base64 with its media type. */
	| { readonly type: 'image'; readonly url: string }
	| { readonly type: 'image'; readonly mediaType: string; readonly data: string };

/** Piece of a reply; `finish` comes once, last. */
export type ModelPart =
	| { readonly type: 'text'; readonly text: string }
	| { readonly type: 'reasoning'; readonly text: string }
	| { readonly type: 'finish'; readonly finishReason: string; readonly usage: ModelUsage };

/** Tokens of one reply; `totalPrice` in `currency` where the price is known. */
export interface ModelUsage {
	readonly promptTokens: number;
	readonly completionTokens: number;
	readonly totalPrice?: string;
	readonly currency?: string;
}
