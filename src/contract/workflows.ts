import * as z from 'zod';
import type { VariableSetEvent } from './debugging.ts';
import { mocksSchema } from './mocks.ts';
import { instant, integerIn } from './ranges.ts';
import type { Timestamp } from './timestamps.ts';

/** Kinds of file a run can take (contract A1). */
export const fileTypes = ['document', 'image', 'audio', 'video', 'custom'] as const;

/** File of a run: by URL, or by the ID that an upload returned (contract A1). */
export const fileObjectSchema = z.discriminatedUnion(
	'transfer_method',
	[
		z.looseObject({
			type: z.enum(fileTypes),
			transfer_method: z.literal('remote_url'),
			url: z.string().min(1).refine(isWebUrl, 'expected a URL that begins with http:// or https://'),
		}),
		z.looseObject({ type: z.enum(fileTypes), transfer_method: z.literal('local_file'), upload_file_id: z.string().min(1) }),
	],
	{ error: issue => (issue.code === 'invalid_union' ? 'expected remote_url or local_file' : undefined) },
);
export type FileObject = z.infer<typeof fileObjectSchema>;

/** How a run answers: `streaming` (events as they come, recommended) or `blocking` (one JSON object at the end). */
export const responseModes = ['streaming', 'blocking'] as const;
export type ResponseMode = (typeof responseModes)[number];

/** Body of A1 (contract A1); the form of a run file too. Unknown fields are kept and sent. */
export const workflowRunRequestSchema = z.looseObject({
	model: z.string().min(1).describe('Agent name.'),
	inputs: z.record(z.string(), z.unknown()).describe('Values of the variables that the agent defines.'),
	response_mode: z.enum(responseModes).describe('"streaming" sends each event as it comes; "blocking" sends one object at the end.'),
	user: z.string().min(1).describe('Identifier of the end user; a run is stopped with the same one.'),
	files: z.array(fileObjectSchema).optional().describe('Files for agents that take them.'),
	trigger: z
		.string()
		.min(1)
		.optional()
		.describe('Node ID of the start node or trigger to begin with, for agents that have several; the first in the file by default.'),
	mocks: mocksSchema
		.optional()
		.describe('Nodes that are not run, by ID, and what stands in for them; only where the built-in gateway runs the agent.'),
	cache: z
		.boolean()
		.optional()
		.describe(
			'Whether replies of models are taken from the cache of the gateway and kept there, so that a rerun is free and gives the same; only where the built-in gateway runs the agent.',
		),
});
export type WorkflowRunRequest = z.infer<typeof workflowRunRequestSchema>;

/** Statuses of the contract, and those that newer services add (wire facts 1.3); any other string passes through. */
export type RunStatus = 'running' | 'succeeded' | 'failed' | 'stopped' | 'partial-succeeded' | 'paused' | (string & {});

/** Status filter of the log list (A4; `paused` beyond the contract). */
export const logStatuses = ['succeeded', 'failed', 'stopped', 'paused'] as const;
export type LogStatus = (typeof logStatuses)[number];

/** What every form of a run says. Times in seconds; `total_steps` is a string in some services. */
export interface RunSummary {
	id: string;
	workflow_id: string;
	status: RunStatus;
	error?: string | null;
	elapsed_time: number;
	total_tokens: number;
	total_steps: number | string;
	created_at: Timestamp;
	finished_at: Timestamp | null;
	[field: string]: unknown;
}

/**
 * Result of a run (contract A1). Of a blocking run that has paused, it has `paused_nodes` and `reasons` too, as
 * `workflow_paused` says them.
 */
export interface RunData extends RunSummary {
	outputs: Record<string, unknown> | null;
}

/** Answer of A1 in blocking mode (contract A1). */
export interface WorkflowResponse {
	workflow_run_id: string;
	task_id: string;
	data: RunData;
	[field: string]: unknown;
}

/** Answer of A2. `inputs` and `outputs` are JSON-encoded strings in some services (contract A2). */
export interface WorkflowRunDetail extends RunSummary {
	inputs: Record<string, unknown> | string;
	outputs: Record<string, unknown> | string | null;
	/** Values that somebody has set in a debugger, in that order (beyond the contract; built-in gateway); absent where nobody has. */
	changed_by_hand?: VariableSetEvent['data'][];
}

/** Query of A4: `page` counts from 1 (default 1); `limit` items a page (default 20, services take 1 to 100). */
export const workflowLogsQuerySchema = z.object({
	model: z.string().min(1),
	keyword: z
		.string()
		.refine(text => !text.includes('\0'), 'expected a text without NUL characters')
		.optional(),
	status: z.enum(logStatuses).optional(),
	created_at__after: instant.optional().describe('Only runs that started then or later, as Dify has it (beyond the contract).'),
	created_at__before: instant.optional().describe('Only runs that started then or before.'),
	page: integerIn({ from: 1, to: 99_999 }).default(1),
	limit: integerIn({ from: 1, to: 100 }).default(20),
});
export type WorkflowLogsQuery = z.input<typeof workflowLogsQuerySchema>;

/** One entry of A4; the contract does not show it, the shape is Dify's (wire facts 1.2). */
export interface WorkflowLog {
	id: string;
	workflow_run: {
		id: string;
		version?: string;
		status: RunStatus;
		error: string | null;
		elapsed_time: number;
		total_tokens: number;
		total_steps: number | string;
		created_at: Timestamp;
		finished_at: Timestamp | null;
		[field: string]: unknown;
	};
	created_from?: string;
	created_by_role?: string;
	created_by_account?: { id: string; name: string; email: string } | null;
	created_by_end_user?: { id: string; type: string; is_anonymous: boolean; session_id: string } | null;
	created_at: Timestamp;
	[field: string]: unknown;
}

/** Answer of A4 (contract A4). */
export interface WorkflowLogPage {
	page: number;
	limit: number;
	total: number;
	has_more: boolean;
	data: WorkflowLog[];
}

/** Body of A3: both required, and `user` must be the run's (contract A3). */
export const stopRequestSchema = z.looseObject({ model: z.string().min(1), user: z.string().min(1) });
export type StopRequest = z.infer<typeof stopRequestSchema>;

/** Answer of A3 and B1; the value is always `success`. */
export interface ResultResponse {
	result: string;
}

function isWebUrl(text: string): boolean {
	return /^https?:\/\//i.test(text) && URL.canParse(text);
}
