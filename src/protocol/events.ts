import type { RunData } from './workflows.ts';

/** Milliseconds between the pings of a streaming run (contract, "Limits"). */
export const pingIntervalMs = 10_000;

/** Fields that all events of a run share; `error` and `ping` can lack them. */
interface RunEventBase {
	task_id: string;
	workflow_run_id: string;
}

/** What node events say of their node. `index` counts nodes from 1; inner nodes carry the ID of their container. */
export interface NodeEventData {
	id: string;
	node_id: string;
	node_type: string;
	title: string;
	index: number;
	predecessor_node_id: string | null;
	inputs: Record<string, unknown> | null;
	created_at: number;
	iteration_id?: string | null;
	loop_id?: string | null;
	[field: string]: unknown;
}

/** Tokens and price of a node; a price is a number or a string (wire facts 1.5). */
export interface ExecutionMetadata {
	total_tokens?: number;
	total_price?: number | string;
	currency?: string;
	[field: string]: unknown;
}

/** How a node ended. `exception`: it failed and its error strategy went on (wire facts 1.3). `elapsed_time` in seconds. */
export interface NodeResultData extends NodeEventData {
	process_data: Record<string, unknown> | null;
	outputs: Record<string, unknown> | null;
	status: 'succeeded' | 'failed' | 'exception' | 'stopped' | (string & {});
	error: string | null;
	elapsed_time: number;
	execution_metadata: ExecutionMetadata | null;
	finished_at?: number;
}

/** Start, step and end of an iteration or loop (wire facts 1.5). */
export interface ContainerEventData {
	id: string;
	node_id: string;
	node_type: string;
	title: string;
	created_at: number;
	[field: string]: unknown;
}

/** First event of a run. `sequence_number` came and went with versions of the service (wire facts 1.5). */
export interface WorkflowStartedEvent extends RunEventBase {
	event: 'workflow_started';
	data: {
		id: string;
		workflow_id: string;
		sequence_number?: number;
		inputs?: Record<string, unknown>;
		created_at: number;
		[field: string]: unknown;
	};
}
/** A node begins. */
export interface NodeStartedEvent extends RunEventBase {
	event: 'node_started';
	data: NodeEventData;
}
/** A node has ended, well or not; `data.status` tells. */
export interface NodeFinishedEvent extends RunEventBase {
	event: 'node_finished';
	data: NodeResultData;
}
/** A node failed and is tried again; `retry_index` counts from 1 (wire facts 1.5). */
export interface NodeRetryEvent extends RunEventBase {
	event: 'node_retry';
	data: NodeResultData & { retry_index: number };
}
/** An iteration or loop begins, takes its next round, or has ended; it sends no node events of its own (wire facts 1.5). */
export interface ContainerEvent extends RunEventBase {
	event: 'iteration_started' | 'iteration_next' | 'iteration_completed' | 'loop_started' | 'loop_next' | 'loop_completed';
	data: ContainerEventData;
}
/** A piece of text as a node writes it. */
export interface TextChunkEvent extends RunEventBase {
	event: 'text_chunk';
	data: { text: string; from_variable_selector?: string[]; [field: string]: unknown };
}
/** All text so far is replaced by this one (moderation). */
export interface TextReplaceEvent extends RunEventBase {
	event: 'text_replace';
	data: { text: string; [field: string]: unknown };
}
/** Last event of a run, with its result. */
export interface WorkflowFinishedEvent extends RunEventBase {
	event: 'workflow_finished';
	data: RunData;
}
/** The run could not go on outside its graph; a node that fails is no such event (wire facts 1.4). */
export interface StreamErrorEvent {
	event: 'error';
	task_id?: string;
	message_id?: string;
	workflow_run_id?: string;
	status: number;
	code: string;
	message: string;
}
/** Sign of life every 10 s; services that send it without data are not heard as an event. */
export interface PingEvent {
	event: 'ping';
}
/** Piece of spoken text: base64 audio, empty in the end marker. */
export interface TtsEvent {
	event: 'tts_message' | 'tts_message_end';
	task_id: string;
	conversation_id?: string;
	message_id?: string;
	created_at: number;
	audio: string;
}
/** Event that this version does not know; nothing of it is dropped. */
export interface UnknownEvent {
	event: string & {};
	task_id?: string;
	workflow_run_id?: string;
	data?: unknown;
	[field: string]: unknown;
}

/** Events of the contract and of newer services that this version knows (contract, "Events"; wire facts 1.5). */
export type KnownWorkflowEvent =
	| WorkflowStartedEvent
	| NodeStartedEvent
	| NodeFinishedEvent
	| NodeRetryEvent
	| ContainerEvent
	| TextChunkEvent
	| TextReplaceEvent
	| WorkflowFinishedEvent
	| StreamErrorEvent
	| PingEvent
	| TtsEvent;

/** Event of a streaming run; narrow it with {@link isEvent}. */
export type WorkflowEvent = KnownWorkflowEvent | UnknownEvent;

/** Whether an event is of this kind. Compares the name only: a hot path, and services add fields but keep those they have. */
export function isEvent<K extends KnownWorkflowEvent['event']>(
	event: WorkflowEvent,
	kind: K,
): event is Extract<KnownWorkflowEvent, { event: K }> {
	return event.event === kind;
}

/** Whether the stream ends after this event (wire facts 1.4). */
export function isTerminal(event: WorkflowEvent): boolean {
	return event.event === 'workflow_finished' || event.event === 'workflow_paused' || event.event === 'error';
}
