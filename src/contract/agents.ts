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
		/** Accepted files. Extensions start with a dot and only apply if the types include `custom`. */
		allowed_file_types: texts,
		allowed_file_extensions: texts,
		allowed_file_upload_methods: texts,
	});
export type AgentVariable = z.infer<ReturnType<typeof createAgentVariableSchema>>;

/** A start node or trigger of an agent that has several of them. `type` is the node type. Triggers have no variables. */
const createAgentTriggerSchema = () =>
	z.object({ id: z.string(), title: z.string(), type: z.string(), variables: z.array(createAgentVariableSchema()) });
export type AgentTrigger = z.infer<ReturnType<typeof createAgentTriggerSchema>>;

/** Start nodes and triggers that a run can start from, the default first; absent if there is only one. */
const createTriggersSchema = () => z.array(createAgentTriggerSchema()).exactOptional();

/**
 * An agent in the list of the built-in gateway (`GET /v1/agent/agents`, not in the contract). `variables` are those of the start node in
 * the agent file. `draft` is true if the file differs from the published version. `error` says why the file can't be loaded.
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

/** A diagnostic of an agent file. `line` counts from 1, and is 0 if the position is unknown. `path` leads to the value. */
const createAgentFileFaultSchema = () =>
	z.object({
		message: z.string(),
		line: z.int(),
		path: z.string(),
		severity: z.union([z.literal('error'), z.literal('warning')]),
	});
export type AgentFileFault = z.infer<ReturnType<typeof createAgentFileFaultSchema>>;

/**
 * Result of reading a string as an agent file (`POST /v1/agent/agents/{name}/check`, not in the contract): its start variables and
 * diagnostics. If one of these is an error, the agent can't run and its variables are unknown.
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
 * Content of an agent's published version (`GET /v1/agent/agents/{name}/published`, not in the contract). `source` is null if there is
 * none.
 */
export const createPublishedAgentSchema = () => z.object({ workflow_id: z.string().nullable(), source: z.string().nullable() });
export type PublishedAgent = z.infer<ReturnType<typeof createPublishedAgentSchema>>;

/**
 * An agent's input form in Dify's format (`GET /v1/agent/parameters`, not in the contract; wire facts 1.7). Each entry of the form is
 * `{TYPE: {…}}`.
 */
export interface AgentParameters {
	/** Greeting of a chat. `{{name}}` stands for an input. */
	opening_statement?: string;
	suggested_questions?: string[];
	file_upload?: AgentFileUpload;
	user_input_form?: Readonly<Record<string, AgentFormField>>[];
	/** File size limits in megabytes. */
	system_parameters?: { image_file_size_limit?: number; file_size_limit?: number };
	[field: string]: unknown;
}

/** Schema of {@link AgentParameters} for the gateway's API description. */
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

/** Files accepted with a message, as in agent files (workflow DSL, "features"). Dify before 0.10 used `image`. */
interface AgentFileUpload {
	enabled?: boolean;
	allowed_file_types?: string[];
	/** Extensions with their dot. Only apply if the types include `custom`. */
	allowed_file_extensions?: string[];
	allowed_file_upload_methods?: string[];
	number_limits?: number;
	image?: { enabled?: boolean; number_limits?: number; transfer_methods?: string[] };
}

/**
 * Body of `POST /v1/agent/agents/{name}/secrets` (not in the contract): values of secret environment variables that are empty or
 * `${env:NAME}` in an agent file. Replaces earlier values. They are kept only in memory, and only for this file.
 */
export const agentSecretsSchema = z.object({
	file: z.string().min(1).describe('Path of the agent file, as in the list of agents.'),
	values: z
		.record(z.string(), z.string().max(32_768))
		.refine(values => Object.keys(values).length <= 200, { error: 'expected at most 200 secrets' })
		.describe('Values by variable name. At most 200, each at most 32,768 characters.'),
});
export type AgentSecretValues = z.infer<typeof agentSecretsSchema>;
