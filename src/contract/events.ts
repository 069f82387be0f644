import { isReadableEvent } from './eventFields.ts';
import type { FormAction, FormInput } from './humanInput.ts';
import type { RunParent } from './partialRun.ts';
import type { RunData } from './workflows.ts';

/** Milliseconds between the pings of a streaming run (contract, "Limits"). */
export const pingIntervalMs = 10_000;

/** Fields that all events of a run share. `error` and `ping` may lack them. */
interface RunEventBase {
	task_id: string;
	workflow_run_id: string;
}

/** Describes the node of a node event. `index` counts nodes from 1. Inner nodes have the ID of their container. */
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

/**
 * Result of a node. `exception` means that it failed and its error strategy continued the run (wire facts 1.3). `elapsed_time` is in
 * seconds.
 */
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

/** First event of a run, sent again when the run resumes. Only some versions of the service send `sequence_number` (wire facts 1.5). */
interface WorkflowStartedEvent extends RunEventBase {
	event: 'workflow_started';
	data: {
		id: string;
		workflow_id: string;
		sequence_number?: number;
		inputs?: Record<string, unknown>;
		created_at: number;
		/** `resumption` if the run continues after a pause. */
		reason?: 'initial' | 'resumption' | (string & {});
		/** Of a fork (built-in gateway). */
		parent?: RunParent;
		[field: string]: unknown;
	};
}
/** A node started. */
interface NodeStartedEvent extends RunEventBase {
	event: 'node_started';
	data: NodeEventData;
}
/** A node finished; see `data.status`. */
interface NodeFinishedEvent extends RunEventBase {
	event: 'node_finished';
	data: NodeResultData;
}
/** A node failed and is retried; `retry_index` counts from 1 (wire facts 1.5). */
interface NodeRetryEvent extends RunEventBase {
	event: 'node_retry';
	data: NodeResultData & { retry_index: number };
}
/** An iteration or loop started, started its next iteration, or finished; it has no separate node events (wire facts 1.5). */
export interface ContainerEvent extends RunEventBase {
	event: 'iteration_started' | 'iteration_next' | 'iteration_completed' | 'loop_started' | 'loop_next' | 'loop_completed';
	data: ContainerEventData;
}
/** A round of an agent, a model call or a tool call started or finished. Both events have the same `id` (wire facts 1.5). */
export interface AgentLogEvent extends RunEventBase {
	event: 'agent_log';
	data: {
		id: string;
		/** Execution ID of the node, as in its node_started. */
		node_execution_id?: string | null;
		/** ID of the round that a call belongs to. */
		parent_id?: string | null;
		label: string;
		status: 'start' | 'success' | 'error' | (string & {});
		error?: string | null;
		data?: Record<string, unknown> | null;
		/** Set when it finishes: `elapsed_time` in seconds, tokens and price. */
		metadata?: Record<string, unknown> | null;
		[field: string]: unknown;
	};
}
/** A chunk of text. */
export interface TextChunkEvent extends RunEventBase {
	event: 'text_chunk';
	data: { text: string; from_variable_selector?: string[]; [field: string]: unknown };
}
/** Replaces all text so far (moderation). */
interface TextReplaceEvent extends RunEventBase {
	event: 'text_replace';
	data: { text: string; [field: string]: unknown };
}
/** A chunk of a model's reasoning; the last one of a node has `is_final` and can be empty. */
interface ReasoningChunkEvent extends RunEventBase {
	event: 'reasoning_chunk';
	data: { message_id: string | null; reasoning: string; node_id: string; is_final: boolean; [field: string]: unknown };
}

/** A form that a run is waiting for. `form_token` is for the form endpoints; it's null if the form is answered elsewhere. */
export interface HumanInputRequiredData {
	form_id: string;
	node_id: string;
	node_title: string;
	/** Markdown, with `{{#$output.NAME#}}` as placeholders for inputs. */
	form_content: string;
	inputs: FormInput[];
	actions: FormAction[];
	display_in_ui: boolean;
	form_token: string | null;
	/** Initial values of inputs that come from a variable, by name. */
	resolved_default_values: Record<string, unknown>;
	/** Unix seconds. */
	expiration_time: number;
	[field: string]: unknown;
}
/** A node is waiting for input. */
interface HumanInputRequiredEvent extends RunEventBase {
	event: 'human_input_required';
	data: HumanInputRequiredData;
}
/** Reason for a pause; for a form, the data of its `human_input_required`. */
interface PauseReason {
	TYPE: 'human_input_required' | (string & {});
	node_id?: string;
	[field: string]: unknown;
}
/** The run is paused until a form is answered; the stream ends. */
export interface WorkflowPausedEvent extends RunEventBase {
	event: 'workflow_paused';
	data: {
		workflow_run_id: string;
		paused_nodes: string[];
		outputs: Record<string, unknown>;
		reasons: PauseReason[];
		status: 'paused' | (string & {});
		created_at: number;
		elapsed_time: number;
		total_tokens: number;
		total_steps: number;
		[field: string]: unknown;
	};
}
/** A form was answered with action `action_id`. */
interface HumanInputFormFilledEvent extends RunEventBase {
	event: 'human_input_form_filled';
	data: {
		node_id: string;
		node_title: string;
		/** The form's content with the answers filled in; files as `[file]` and `[N files]`. */
		rendered_content: string;
		action_id: string;
		action_text: string;
		submitted_data?: Record<string, unknown> | null;
		[field: string]: unknown;
	};
}
/** A form expired. */
interface HumanInputFormTimeoutEvent extends RunEventBase {
	event: 'human_input_form_timeout';
	data: { node_id: string; node_title: string; expiration_time: number; [field: string]: unknown };
}
/** Last event of a run, with its result. */
export interface WorkflowFinishedEvent extends RunEventBase {
	event: 'workflow_finished';
	data: RunData;
}
/** The run failed outside its graph; failed nodes don't cause this event (wire facts 1.4). */
interface StreamErrorEvent {
	event: 'error';
	task_id?: string;
	message_id?: string;
	workflow_run_id?: string;
	status: number;
	code: string;
	message: string;
}
/** Keep-alive every 10 s; pings without data aren't reported as events. */
interface PingEvent {
	event: 'ping';
}
/** Chunk of speech: base64 audio. */
interface TtsEvent {
	event: 'tts_message';
	task_id: string;
	conversation_id?: string;
	message_id?: string;
	created_at: number;
	audio: string;
}
/** End of speech; its audio is empty. */
interface TtsEndEvent extends Omit<TtsEvent, 'event'> {
	event: 'tts_message_end';
}
/** Event that this version doesn't know, with all its fields. */
interface UnknownEvent {
	event: string & {};
	task_id?: string;
	workflow_run_id?: string;
	data?: unknown;
	[field: string]: unknown;
}

/** Events of the contract and of newer services that this version knows (contract, "Events"; wire facts 1.5). */
type KnownWorkflowEvent =
	| WorkflowStartedEvent
	| NodeStartedEvent
	| NodeFinishedEvent
	| NodeRetryEvent
	| ContainerEvent
	| AgentLogEvent
	| TextChunkEvent
	| TextReplaceEvent
	| ReasoningChunkEvent
	| HumanInputRequiredEvent
	| WorkflowPausedEvent
	| HumanInputFormFilledEvent
	| HumanInputFormTimeoutEvent
	| WorkflowFinishedEvent
	| StreamErrorEvent
	| PingEvent
	| TtsEvent
	| TtsEndEvent;

/** Event of a streaming run; narrow it with {@link isEvent}. */
export type WorkflowEvent = KnownWorkflowEvent | UnknownEvent;

/** True if an event has this kind and the fields that its readers use. */
export function isEvent<K extends KnownWorkflowEvent['event']>(
	event: WorkflowEvent,
	kind: K,
): event is Extract<KnownWorkflowEvent, { event: K }> {
	return event.event === kind && isReadableEvent(event);
}

/** True if the stream ends after this event (wire facts 1.4). */
export function isTerminalEvent(event: WorkflowEvent): boolean {
	return event.event === 'workflow_finished' || event.event === 'workflow_paused' || event.event === 'error';
}
