import type { Timestamp } from './timestamps.ts';

/**
 * Agent as the built-in gateway lists it (`GET /v1/agent/agents`, beyond the contract). `variables` are the start node's, as in the
 * agent file; `draft` says that the file differs from what is published; `error` why its file cannot be loaded.
 */
export interface AgentSummary {
	name: string;
	mode: string;
	description: string;
	published: boolean;
	draft: boolean;
	workflow_id: string | null;
	file: string | null;
	variables: AgentVariable[];
	error: string | null;
	updated_at: Timestamp;
}

/** Variable of an agent's start node (workflow DSL, "start"). */
export interface AgentVariable {
	variable: string;
	label: string;
	type: string;
	required: boolean;
	max_length?: number;
	options?: string[];
	default?: unknown;
}

/** Answer of `GET /v1/agent/agents`. */
export interface AgentList {
	data: AgentSummary[];
}

/**
 * What an agent tells of its input form (`GET /v1/agent/parameters`, beyond the contract: Dify's shape, wire facts 1.7). Each entry of the
 * form is `{TYPE: {…}}`.
 */
export interface AgentParameters {
	file_upload?: AgentFileUpload;
	user_input_form?: Readonly<Record<string, AgentFormField>>[];
	/** Megabytes that a file may have. */
	system_parameters?: { image_file_size_limit?: number };
	[field: string]: unknown;
}

/** Field of an agent's input form; `max_length` of a `file-list` counts files. */
export interface AgentFormField {
	variable: string;
	max_length?: number;
	allowed_file_types?: string[];
	allowed_file_upload_methods?: string[];
}

/** Which files go along with a message, as agent files hold it (workflow DSL, "features"); `image` is the form before Dify 0.10. */
export interface AgentFileUpload {
	enabled?: boolean;
	allowed_file_types?: string[];
	allowed_file_upload_methods?: string[];
	number_limits?: number;
	image?: { enabled?: boolean; number_limits?: number; transfer_methods?: string[] };
}

/** Something wrong in an agent file. `line` counts from 1, 0 where no place is known; `path` is that of the value. */
export interface AgentFileFault {
	message: string;
	line: number;
	path: string;
	severity: 'error' | 'warning';
}

/**
 * What a text says as an agent file (`POST /v1/agent/agents/{name}/check`, beyond the contract): the start variables, and what is wrong.
 * With an error among the faults the agent cannot run, and its variables are not known.
 */
export interface AgentCheck {
	variables: AgentVariable[];
	mode: string;
	faults: AgentFileFault[];
}

/** Text of an agent's published version (`GET /v1/agent/agents/{name}/published`, beyond the contract); `source` is null where none is. */
export interface PublishedAgent {
	workflow_id: string | null;
	source: string | null;
}
