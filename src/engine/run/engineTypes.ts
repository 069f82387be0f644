import type { WorkflowEvent } from '#contract/events.ts';
import type { Mocks } from '#contract/mocks.ts';
import type { FileObject, RunData } from '#contract/workflows.ts';
import type { NetworkSettings } from '#network/networkSettings.ts';
import type { CodeRunner } from '../code/codeRunner.ts';
import type { PythonRunner } from '../code/pythonRunner.ts';
import type { DocumentReader } from '../documents/documentReader.ts';
import type { Templates } from '../jinja/templates.ts';
import type { Citation } from '../knowledge/citations.ts';
import type { Knowledge } from '../knowledge/knowledge.ts';
import type { Replay, ValuesByNode } from '../standIns/replayedNodes.ts';
import type { ToolSources } from '../tools/engineTool.ts';
import type { UploadFacts } from '../variables/fileValue.ts';
import type { Around, RunGate } from './gate.ts';
import type { PausedRun } from './pausedRun.ts';
import type { Turns } from './turns.ts';

/** One run, as the gateway asks the engine for it. IDs are UUIDs chosen by the caller. */
export interface RunOptions {
	readonly runId: string;
	readonly taskId: string;
	readonly workflowId: string;
	readonly appId: string;
	/** Counts the runs of an agent from 1 (contract, workflow_started). */
	readonly sequenceNumber: number;
	/** ID of the start node or trigger that the run begins with; absent: the first in the file. */
	readonly root?: string;
	/** Already checked against the start node's variables (see `checkInputs`). */
	readonly inputs: Readonly<Record<string, unknown>>;
	readonly files: readonly FileObject[];
	/** Name of the agent, for the record of what it asks of models. */
	readonly agentName?: string;
	/** Whether replies of models come from the cache, and are kept there, whatever their routes say. */
	readonly cache?: boolean;
	/** End user, as the caller named it; `sys.user_id`. */
	readonly user: string;
	/** Present in a chat with an agent (chatflow). */
	readonly chat?: ChatContext;
	/** The caller keeps a run that pauses, and goes on with it (`resumeWorkflow`). Without it, nodes that wait for a person fail. */
	readonly mayPause?: boolean;
	/** Runs that this one is a tool of, from the outermost; 0 or absent: it is nobody's tool. */
	readonly depth?: number;
	/** Nodes that are not run, by ID. */
	readonly mocks?: Mocks;
	/** What nodes keep that do not run: those that come before the one that is run from. */
	readonly replay?: Replay;
	/** Values of other nodes, where the agent is one node that runs alone: its outputs are those of the run. */
	readonly alone?: ValuesByNode;
	/** Stands before every start of a node; absent: nobody asks. */
	readonly gate?: RunGate;
	/** The node that runs this as a tool, of a run behind a gate. */
	readonly caller?: Around;
	/** Aborting stops the run: in-flight work ends at once, and the run ends with status `stopped`. */
	readonly signal: AbortSignal;
	/** Called for each event in causal order, synchronously: must not throw, and returns before the next event. */
	readonly emit: (event: WorkflowEvent) => void;
}

/** What a chatflow knows of its conversation. */
export interface ChatContext {
	readonly query: string;
	readonly conversationId: string;
	/** Number of this turn, from 1: `sys.dialogue_count`. */
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
	/** Segments of knowledge that models were given, in the order in which they were. */
	readonly citations: readonly Citation[];
	/** Present if the run waits for a person, with status `paused` and a workflow_paused event. */
	readonly paused?: PausedRun;
}

/** What nodes need from the gateway around them. */
export interface EngineServices {
	readonly models: TextModels;
	readonly settings: EngineSettings;
	/** Runs JavaScript of code nodes; one for the whole gateway (`new CodeRunner()`). */
	readonly code: CodeRunner;
	/** Runs `python3` code nodes; one for the whole gateway. Absent: they fail and say how to switch it on. */
	readonly python?: PythonRunner;
	readonly files: EngineFiles;
	/** Reads documents; one for the whole gateway. */
	readonly documents: DocumentReader;
	/** Tools besides the built-in ones. Absent: there are none. */
	readonly tools?: ToolSources;
	/** Fills templates; one for the whole gateway. */
	readonly templates: Templates;
	/** Datasets to search. Absent: knowledge-retrieval nodes fail and say so. */
	readonly knowledge?: Knowledge;
	/** Shares the event loop out among the runs; one for the whole gateway. */
	readonly turns: Turns;
}

/** Files that users have uploaded, and those that nodes were sent. */
export interface EngineFiles {
	/** What is known of an upload; `undefined` if there is no such upload. */
	describe(uploadId: string): UploadFacts | undefined;
	/** Bytes of an upload. Rejects if there is no such upload. */
	read(uploadId: string, signal: AbortSignal): Promise<Uint8Array>;
	/** Keeps a file that a node was sent. Resolves to its ID and the path that this service gives it out under. */
	add(file: { readonly name: string; readonly mimeType: string; readonly bytes: Uint8Array; readonly user: string }): Promise<StoredFile>;
}

/** A file that was kept. */
interface StoredFile {
	readonly id: string;
	/** Path at this service, as in `/v1/agent/files/ID/preview`. */
	readonly url: string;
}

/** What an administrator allows nodes to do. */
export interface EngineSettings {
	/** Whether http-request may reach private, loopback and link-local addresses. */
	readonly allowPrivateNetwork: boolean;
	/** How nodes reach others. */
	readonly network: NetworkSettings;
	/** Nodes that one run may start, retries and those of rounds included; 500 unless set, as in the hosted service. */
	readonly maxSteps?: number;
	/** Seconds that one run may take; 1200 unless set, as in the hosted service. */
	readonly maxSeconds?: number;
	/** Milliseconds since 1970, by which forms expire; the machine's clock unless set. */
	readonly now?: () => number;
}

/** Milliseconds since 1970 by the clock of an engine. */
export function clockOf({ settings }: Pick<EngineServices, 'settings'>): number {
	return (settings.now ?? Date.now)();
}

/** Text generation for llm, question-classifier and parameter-extractor nodes: any model of the gateway's routing table. */
export interface TextModels {
	/** The same, for one run: what it asks is recorded as its own, without the secrets of its agent. Absent: nobody keeps a record. */
	forRun?(run: Pick<RunOptions, 'runId' | 'user' | 'agentName' | 'cache'> & { readonly secrets?: readonly string[] }): TextModels;
	/** Streams a reply. Rejects with a sentence that a user can act on; stops when the signal aborts. */
	stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
	/** Tokens that a model takes, prompt and reply together; undefined where nobody has said. */
	contextTokens?(model: string): number | undefined;
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
	/** Further `completion_params`, by the names that agent files have for them: each reaches the model's service, or a warning names it. */
	readonly parameters?: Readonly<Record<string, unknown>>;
	/** JSON schema that the reply must follow (structured output). */
	readonly responseSchema?: Readonly<Record<string, unknown>>;
	/** Tools that the model may call. */
	readonly tools?: readonly ModelTool[];
	/** Tools that the prompt tells of, for models that call them by what they write (ReAct); none are sent. */
	readonly toolsInPrompt?: readonly ModelTool[];
	/** Whether {@link tools} are named only because earlier messages call them: the reply must call none. */
	readonly callsNoTools?: boolean;
}

/** A tool as a model sees it. */
export interface ModelTool {
	readonly name: string;
	readonly description: string;
	/** JSON schema of an object. */
	readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ModelMessage {
	readonly role: 'system' | 'user' | 'assistant' | 'tool';
	readonly content: string | readonly ModelContentPart[];
	/** Calls that a message of the assistant makes. */
	readonly calls?: readonly ModelToolCall[];
	/** What the assistant thought before it said this, as its service wants it back. */
	readonly thoughts?: readonly ModelThought[];
	/** The call that a message of a tool answers. */
	readonly answers?: ModelToolCall;
}

/** A model's call of a tool. */
export interface ModelToolCall {
	readonly id: string;
	readonly name: string;
	/** JSON, as the model wrote it: it may be none. */
	readonly input: string;
	/** What the model's service wants to have back with the call. */
	readonly metadata?: ServiceMetadata;
}

/** A piece of reasoning, with what the model's service wants to have back with it. */
export interface ModelThought {
	readonly text: string;
	readonly metadata?: ServiceMetadata;
}

/** Values that only a model's service understands, by provider. */
type ServiceMetadata = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type ModelContentPart =
	| { readonly type: 'text'; readonly text: string }
	/** An image by URL or as base64 with its media type. */
	| { readonly type: 'image'; readonly url: string }
	| { readonly type: 'image'; readonly mediaType: string; readonly data: string };

/** Piece of a reply; `finish` comes once, last. */
export type ModelPart =
	| { readonly type: 'text'; readonly text: string }
	| { readonly type: 'reasoning'; readonly text: string }
	| ({ readonly type: 'call' } & ModelToolCall)
	/** `thoughts`: all of the reasoning, where the reply calls tools; `warnings`: sentences on what of the request was not taken as it was asked. */
	| {
			readonly type: 'finish';
			readonly finishReason: string;
			readonly usage: ModelUsage;
			readonly thoughts?: readonly ModelThought[];
			readonly warnings?: readonly string[];
	  };

/** Tokens of one reply; `totalPrice` in `currency` where the price is known. */
export interface ModelUsage {
	readonly promptTokens: number;
	readonly completionTokens: number;
	readonly totalPrice?: string;
	readonly currency?: string;
}
