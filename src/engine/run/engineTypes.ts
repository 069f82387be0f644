import type { Attack } from '#contract/attack.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import type { Mocks } from '#contract/mocks.ts';
import type { RunParent } from '#contract/partialRun.ts';
import type { FileObject, RunData } from '#contract/workflows.ts';
import { type IncomingReply, type OutgoingRequest, sendGuardedRequest } from '#network/guardedRequest.ts';
import type { NetworkSettings } from '#network/networkSettings.ts';
import type { CodeRunner } from '../code/codeRunner.ts';
import type { PythonRunner } from '../code/pythonRunner.ts';
import type { DocumentReader } from '../documents/documentReader.ts';
import type { Templates } from '../jinja/templates.ts';
import type { Citation } from '../knowledge/citations.ts';
import type { Knowledge } from '../knowledge/knowledge.ts';
import type { RecordingLevel } from '../recordings/runRecording.ts';
import type { Replay, ValuesByNode } from '../standIns/replayedNodes.ts';
import type { RunPlayback } from '../standIns/runPlayback.ts';
import type { ToolSources } from '../tools/engineTool.ts';
import type { UploadFacts } from '../variables/fileValue.ts';
import type { EnclosingNode, RunGate } from './gate.ts';
import type { PausedRun } from './pausedRun.ts';
import type { Turns } from './turns.ts';

/** Options of one run. IDs are UUIDs chosen by the caller. */
export interface RunOptions {
	readonly runId: string;
	readonly taskId: string;
	readonly workflowId: string;
	readonly appId: string;
	/** Number of this run among the runs of its agent, from 1 (contract, workflow_started). */
	readonly sequenceNumber: number;
	/** ID of the start node or trigger to start from. Default: the first in the file. */
	readonly root?: string;
	/** Inputs that were already checked against the start node's variables (see `checkInputs`). */
	readonly inputs: Readonly<Record<string, unknown>>;
	readonly files: readonly FileObject[];
	/** Name of the agent, recorded with its model requests. */
	readonly agentName?: string;
	/** True if model replies are read from the cache and saved there, regardless of the routes' settings. */
	readonly cache?: boolean;
	/** ID of the end user as given by the caller; `sys.user_id`. */
	readonly user: string;
	/** Present in a chat with an agent (chatflow). */
	readonly chat?: ChatContext;
	/** True if the caller saves a paused run and resumes it (`resumeWorkflow`). Otherwise nodes that wait for a person fail. */
	readonly mayPause?: boolean;
	/** Nesting depth of this run as a tool of other runs; 0 or absent if it isn't run as a tool. */
	readonly depth?: number;
	/** Mocks by node ID. Mocked nodes aren't run. */
	readonly mocks?: Mocks;
	/** Attack that replaces the services that nodes call, except models. */
	readonly attack?: Attack;
	/** Recorded outputs of the nodes that don't run again. */
	readonly replay?: Replay;
	/** A recorded run that is shown: all nodes end as recorded. */
	readonly playback?: RunPlayback;
	/** The run that this one is a fork of, reported with its start. */
	readonly parent?: RunParent;
	/** Recording that replaces what models, tools and services reply, or stores it. */
	readonly recording?: RecordingLevel;
	/** Values of other nodes, if only one node runs. Its outputs become the outputs of the run. */
	readonly alone?: ValuesByNode;
	/** Called before every start of a node. If absent, nodes start immediately. */
	readonly gate?: RunGate;
	/** The node that runs this agent as a tool, if its run has a gate. */
	readonly caller?: EnclosingNode;
	/** Aborting stops the run: in-flight work ends immediately, and the run ends with status `stopped`. */
	readonly signal: AbortSignal;
	/** Called synchronously for each event in causal order. Must not throw, and must return before the next event. */
	readonly emit: (event: WorkflowEvent) => void;
}

/** Conversation state of a chatflow. */
export interface ChatContext {
	readonly query: string;
	readonly conversationId: string;
	/** Number of this turn, from 1: `sys.dialogue_count`. */
	readonly dialogueCount: number;
	/** Values of conversation variables saved by earlier turns. */
	readonly variables: Readonly<Record<string, unknown>>;
	readonly history: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
}

/** How a run ended; `data` is the data of its workflow_finished event. */
export interface RunOutcome {
	readonly data: RunData;
	/** Conversation variables after the run, to be saved for the next turn. */
	readonly variables: Readonly<Record<string, unknown>>;
	/** Sorted IDs of nodes outside of iterations and loops that no taken edge led to. */
	readonly skippedNodes: readonly string[];
	/** Knowledge segments given to models, in order. */
	readonly citations: readonly Citation[];
	/** Present if the run is paused for a person, with status `paused` and a workflow_paused event. */
	readonly paused?: PausedRun;
}

/** Services that nodes need from the gateway. */
export interface EngineServices {
	readonly models: TextModels;
	readonly settings: EngineSettings;
	/** Runs JavaScript of code nodes; shared by the whole gateway (`new CodeRunner()`). */
	readonly code: CodeRunner;
	/** Runs `python3` code nodes; shared by the whole gateway. If absent, these nodes fail with an error that says how to enable it. */
	readonly python?: Pick<PythonRunner, 'run'>;
	readonly files: EngineFiles;
	/** Reads documents; shared by the whole gateway. */
	readonly documents: DocumentReader;
	/** Tools other than the built-in ones. */
	readonly tools?: ToolSources | undefined;
	/** Renders templates; shared by the whole gateway. */
	readonly templates: Pick<Templates, 'render' | 'close'>;
	/** Datasets to search. If absent, knowledge-retrieval nodes fail with an error that says so. */
	readonly knowledge?: Knowledge | undefined;
	/** Shares the event loop among the runs; one for the whole gateway. */
	readonly turns: Turns;
	/** Sends the HTTP requests of nodes and tools. Default: {@link sendGuardedRequest}. */
	readonly http?: SendRequest;
	/** Time and random numbers of a run that must be repeatable. If absent, they are real. */
	readonly fixed?: FixedChance;
}

/** Sends a request and resolves to the whole reply. */
export type SendRequest = (request: OutgoingRequest) => Promise<IncomingReply>;

/** The time that a run sees, and the seed of its random numbers. */
export interface FixedChance {
	/** Time in milliseconds since 1970. It doesn't advance during the run. */
	readonly time: number;
	readonly seed: number;
}

/** Files uploaded by users or received by nodes. */
export interface EngineFiles {
	/** Returns the details of an upload; `undefined` if it doesn't exist. */
	describeUpload(uploadId: string): UploadFacts | undefined;
	/** Reads the bytes of an upload. Rejects if it doesn't exist. */
	readUpload(uploadId: string, signal: AbortSignal): Promise<Uint8Array>;
	/** Saves a file received by a node. Resolves to its ID and the path that serves it. */
	add(file: { readonly name: string; readonly mimeType: string; readonly bytes: Uint8Array; readonly user: string }): Promise<StoredFile>;
}

interface StoredFile {
	readonly id: string;
	/** Path on this server, for example `/v1/agent/files/ID/preview`. */
	readonly url: string;
}

/** Limits and permissions of nodes, set by an administrator. */
export interface EngineSettings {
	/** True if http-request nodes may reach private, loopback and link-local addresses. */
	readonly allowPrivateNetwork: boolean;
	/** Network settings for requests from nodes. */
	readonly network: NetworkSettings;
	/** Maximum number of nodes that one run may start, including retries and nodes in iterations; default 500, as in the hosted service. */
	readonly maxSteps?: number;
	/** Time limit of one run in seconds; default 1200, as in the hosted service. */
	readonly maxSeconds?: number;
	/** Returns the time in milliseconds since 1970 that form expiry is checked against; default: the system clock. */
	readonly now?: () => number;
}

/** Returns the time in milliseconds since 1970 by the engine's clock. */
export function getTimeMs({ settings }: Pick<EngineServices, 'settings'>): number {
	return (settings.now ?? Date.now)();
}

/** Returns the time in milliseconds since 1970 that tools of a run see. */
export function getRunTimeMs({ fixed }: Pick<EngineServices, 'fixed'>): number {
	return fixed?.time ?? Date.now();
}

/** Sends an HTTP request of a node or a tool. All of them go through here. */
export function sendRequest({ http = sendGuardedRequest }: Pick<EngineServices, 'http'>, request: OutgoingRequest): Promise<IncomingReply> {
	return http(request);
}

/** Generates text for llm, question-classifier and parameter-extractor nodes, with any model of the gateway's routing table. */
export interface TextModels {
	/** Returns models whose requests are recorded under this run, without the secrets of its agent. If absent, nothing is recorded. */
	bindToRun?(run: Pick<RunOptions, 'runId' | 'user' | 'agentName' | 'cache'> & { readonly secrets?: readonly string[] }): TextModels;
	/** Streams a reply. Rejects with a message that a user can act on; stops when the signal aborts. */
	streamReply(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
	/** Context size of a model in tokens, prompt and reply together; undefined if unknown. */
	getContextTokens?(model: string): number | undefined;
}

export interface ModelRequest {
	/** Name of the model in the routing table. */
	readonly model: string;
	readonly messages: readonly ModelMessage[];
	readonly maxTokens?: number;
	readonly temperature?: number;
	readonly topP?: number;
	readonly topK?: number;
	readonly stop?: readonly string[];
	/** Other `completion_params` by their names in agent files. Each is passed to the model's service or named in a warning. */
	readonly parameters?: Readonly<Record<string, unknown>>;
	/** JSON schema that the reply must follow (structured output). */
	readonly responseSchema?: Readonly<Record<string, unknown>>;
	/** Tools that the model may call. */
	readonly tools?: readonly ModelTool[];
	/** Tools described in the prompt, for models that call them in text (ReAct); these aren't sent as tools. */
	readonly toolsInPrompt?: readonly ModelTool[];
	/** True if {@link tools} are sent only because earlier messages call them. The reply must not call any tool. */
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
	/** Tool calls of an assistant message. */
	readonly calls?: readonly ModelToolCall[];
	/** Reasoning before this message, in the format that the model's service expects back. */
	readonly thoughts?: readonly ModelThought[];
	/** The call that this tool message answers. */
	readonly answers?: ModelToolCall;
}

/** A tool call by a model. */
export interface ModelToolCall {
	readonly id: string;
	readonly name: string;
	/** JSON as written by the model; may be invalid. */
	readonly input: string;
	/** Data that the model's service expects back with the call. */
	readonly metadata?: ServiceMetadata;
}

/** A part of the reasoning, with the data that the model's service expects back. */
export interface ModelThought {
	readonly text: string;
	readonly metadata?: ServiceMetadata;
}

/** Provider-specific values, by provider. */
type ServiceMetadata = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type ModelContentPart =
	| { readonly type: 'text'; readonly text: string }
	/** An image by URL or as base64 with its media type. */
	| { readonly type: 'image'; readonly url: string }
	| { readonly type: 'image'; readonly mediaType: string; readonly data: string };

/** Part of a reply. A reply has exactly one `finish` part, at the end. */
export type ModelPart =
	| { readonly type: 'text'; readonly text: string }
	| { readonly type: 'reasoning'; readonly text: string }
	| ({ readonly type: 'call' } & ModelToolCall)
	/**
	 * `thoughts`: the whole reasoning, if the reply calls tools. `warnings`: messages about parts of the request that the service ignored
	 * or changed.
	 */
	| {
			readonly type: 'finish';
			readonly finishReason: string;
			readonly usage: ModelUsage;
			readonly thoughts?: readonly ModelThought[];
			readonly warnings?: readonly string[];
			/** Set if a person gave the reply. */
			readonly by?: 'person';
	  };

/** Token usage of one reply, and its price in `currency` if known. */
export interface ModelUsage {
	readonly promptTokens: number;
	readonly completionTokens: number;
	readonly totalPrice?: string;
	readonly currency?: string;
}
