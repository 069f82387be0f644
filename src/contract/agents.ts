import * as z from 'zod';
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
	/** What a run can begin with, the first by default; absent where there is one. */
	triggers?: AgentTrigger[];
	error: string | null;
	updated_at: Timestamp;
}

/** A start node or trigger of an agent that has several; `type` is the node's, and a trigger declares no variables. */
export interface AgentTrigger {
	id: string;
	title: string;
	type: string;
	variables: AgentVariable[];
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
	/** What people are told beside the input. */
	hint?: string;
	/** Which files are taken; extensions have their point, and count where the types hold `custom`. */
	allowed_file_types?: string[];
	allowed_file_extensions?: string[];
	allowed_file_upload_methods?: string[];
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
	/** What a chat begins with; `{{name}}` in it is an input. */
	opening_statement?: string;
	suggested_questions?: string[];
	file_upload?: AgentFileUpload;
	user_input_form?: Readonly<Record<string, AgentFormField>>[];
	/** Megabytes that a file may have. */
	system_parameters?: { image_file_size_limit?: number; file_size_limit?: number };
	[field: string]: unknown;
}

/** Field of an agent's input form; `max_length` of a `file-list` counts files. */
export interface AgentFormField {
	variable: string;
	label?: string;
	required?: boolean;
	options?: string[];
	default?: unknown;
	hint?: string;
	max_length?: number;
	allowed_file_types?: string[];
	allowed_file_extensions?: string[];
	allowed_file_upload_methods?: string[];
}

/** Which files go along with a message, as agent files hold it (workflow DSL, "features"); `image` is the form before Dify 0.10. */
export interface AgentFileUpload {
	enabled?: boolean;
	allowed_file_types?: string[];
	/** With their dots; they count where the types hold `custom`. */
	allowed_file_extensions?: string[];
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
	/** What a run can begin with, the first by default; absent where there is one. */
	triggers?: AgentTrigger[];
	mode: string;
	faults: AgentFileFault[];
}

/** Text of an agent's published version (`GET /v1/agent/agents/{name}/published`, beyond the contract); `source` is null where none is. */
export interface PublishedAgent {
	workflow_id: string | null;
	source: string | null;
}

/**
 * Body of `POST /v1/agent/agents/{name}/secrets` (beyond the contract): values of secret environment variables that an agent's file leaves empty or
 * writes as `${env:NAME}`, in place of those given before. They are kept in memory, and for this file alone.
 */
export const agentSecretsSchema = z.object({
	file: z.string().min(1).describe('Path of the agent file, as the list of agents has it.'),
	values: z
		.record(z.string(), z.string().max(32_768))
		.refine(values => Object.keys(values).length <= 200, { error: 'expected at most 200 secrets' })
		.describe('Values by the names of the variables: 200 at most, each of 32,768 characters at most.'),
});
export type AgentSecretValues = z.infer<typeof agentSecretsSchema>;
