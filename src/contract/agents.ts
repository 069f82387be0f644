import * as z from 'zod';
import { timestamp } from './ranges.ts';

const texts = z.array(z.string()).exactOptional();

/** Variable of an agent's start node (workflow DSL, "start"). */
const createAgentVariableSchema = () =>
	z.object({
		variable: z.string(),
		label: z.string(),
		type: z.string(),
		required: z.boolean(),
		max_length: z.int().exactOptional(),
		options: texts,
		default: z.unknown().exactOptional(),
		/** Shown next to the input. */
		hint: z.string().exactOptional(),
		/** Which files are accepted; extensions have their dot, and count if the types contain `custom`. */
		allowed_file_types: texts,
		allowed_file_extensions: texts,
		allowed_file_upload_methods: texts,
	});
export type AgentVariable = z.infer<ReturnType<typeof createAgentVariableSchema>>;

/** A start node or trigger of an agent that has several; `type` is the node's, and a trigger declares no variables. */
const createAgentTriggerSchema = () =>
	z.object({ id: z.string(), title: z.string(), type: z.string(), variables: z.array(createAgentVariableSchema()) });
export type AgentTrigger = z.infer<ReturnType<typeof createAgentTriggerSchema>>;

/** Start nodes and triggers that a run can start from, the default first; absent if there is only one. */
const createTriggersSchema = () => z.array(createAgentTriggerSchema()).exactOptional();

/**
 * Agent as the built-in gateway lists it (`GET /v1/agent/agents`, beyond the contract). `variables` are the start node's, as in the
 * agent file; `draft` says that the file differs from what is published; `error` why its file cannot be loaded.
 */
export const createAgentSummarySchema = () =>
	z.object({
		name: z.string(),
		mode: z.string(),
		description: z.string(),
		published: z.boolean(),
		draft: z.boolean(),
		workflow_id: z.string().nullable(),
		file: z.string().nullable(),
		variables: z.array(createAgentVariableSchema()),
		triggers: createTriggersSchema(),
		error: z.string().nullable(),
		updated_at: timestamp,
	});
export type AgentSummary = z.infer<ReturnType<typeof createAgentSummarySchema>>;

/** Response of `GET /v1/agent/agents`. */
export const createAgentListSchema = () => z.object({ data: z.array(createAgentSummarySchema()) });
export type AgentList = z.infer<ReturnType<typeof createAgentListSchema>>;

/** A diagnostic of an agent file. `line` counts from 1, 0 if no position is known; `path` is that of the value. */
const createAgentFileFaultSchema = () =>
	z.object({
		message: z.string(),
		line: z.int(),
		path: z.string(),
		severity: z.union([z.literal('error'), z.literal('warning')]),
	});
export type AgentFileFault = z.infer<ReturnType<typeof createAgentFileFaultSchema>>;

/**
 * A string read as an agent file (`POST /v1/agent/agents/{name}/check`, beyond the contract): the start variables, and the diagnostics.
 * With an error among them the agent cannot run, and its variables are not known.
 */
export const createAgentCheckSchema = () =>
	z.object({
		variables: z.array(createAgentVariableSchema()),
		triggers: createTriggersSchema(),
		mode: z.string(),
		faults: z.array(createAgentFileFaultSchema()),
	});
export type AgentCheck = z.infer<ReturnType<typeof createAgentCheckSchema>>;

/**
 * Content of an agent's published version (`GET /v1/agent/agents/{name}/published`, beyond the contract); `source` is null if none is
 * published.
 */
export const createPublishedAgentSchema = () => z.object({ workflow_id: z.string().nullable(), source: z.string().nullable() });
export type PublishedAgent = z.infer<ReturnType<typeof createPublishedAgentSchema>>;

/**
 * An agent's input form (`GET /v1/agent/parameters`, beyond the contract: Dify's shape, wire facts 1.7). Each entry of the form is `{TYPE:
 * {…}}`.
 */
export interface AgentParameters {
	/** Greeting of a chat; `{{name}}` in it is an input. */
	opening_statement?: string;
	suggested_questions?: string[];
	file_upload?: AgentFileUpload;
	user_input_form?: Readonly<Record<string, AgentFormField>>[];
	/** File size limits in megabytes. */
	system_parameters?: { image_file_size_limit?: number; file_size_limit?: number };
	[field: string]: unknown;
}

/** The fields of {@link AgentParameters} in the description of the gateway's API. */
export const createAgentParametersSchema = (): z.ZodType<AgentParameters> =>
	z.looseObject({
		file_upload: z.looseObject({ enabled: z.boolean().exactOptional() }).exactOptional(),
		user_input_form: z
			.array(z.record(z.string(), z.looseObject({ variable: z.string(), max_length: z.int().exactOptional() })))
			.exactOptional(),
		system_parameters: z
			.looseObject({ image_file_size_limit: z.number().exactOptional(), file_size_limit: z.number().exactOptional() })
			.exactOptional(),
	});

/** Field of an agent's input form; `max_length` of a `file-list` counts files. */
interface AgentFormField {
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

/** Files accepted with a message, as in agent files (workflow DSL, "features"); `image` is the form before Dify 0.10. */
interface AgentFileUpload {
	enabled?: boolean;
	allowed_file_types?: string[];
	/** With the dot; used if the types include `custom`. */
	allowed_file_extensions?: string[];
	allowed_file_upload_methods?: string[];
	number_limits?: number;
	image?: { enabled?: boolean; number_limits?: number; transfer_methods?: string[] };
}

/**
 * Body of `POST /v1/agent/agents/{name}/secrets` (beyond the contract): values of secret environment variables that are empty or
 * `${env:NAME}` in an agent file. Replaces earlier values. Kept only in memory, and only for this file.
 */
export const agentSecretsSchema = z.object({
	file: z.string().min(1).describe('Path of the agent file, as in the list of agents.'),
	values: z
		.record(z.string(), z.string().max(32_768))
		.refine(values => Object.keys(values).length <= 200, { error: 'expected at most 200 secrets' })
		.describe('Values by variable name. At most 200, each at most 32,768 characters.'),
});
export type AgentSecretValues = z.infer<typeof agentSecretsSchema>;
