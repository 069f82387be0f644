import * as z from 'zod';
import { mocksSchema } from './mocks.ts';
import { partialRunSchema } from './partialRun.ts';
import { createIntegerSchema, instant, timestamp, values } from './ranges.ts';

/** Kinds of file a run can take (contract A1). */
export const fileTypes = ['document', 'image', 'audio', 'video', 'custom'] as const;

/** File of a run: by URL, or by the ID that an upload returned (contract A1). */
export const fileObjectSchema = z.discriminatedUnion(
	'transfer_method',
	[
		z.looseObject({
			type: z.enum(fileTypes),
			transfer_method: z.literal('remote_url'),
			url: z.string().min(1).refine(isWebUrl, 'expected an http:// or https:// URL'),
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
	response_mode: z.enum(responseModes).describe('"streaming" sends events as they occur. "blocking" sends one object at the end.'),
	user: z.string().min(1).describe('ID of the end user. Stopping a run requires the same user.'),
	files: z.array(fileObjectSchema).optional().describe('Files for agents that accept files.'),
	trigger: z
		.string()
		.min(1)
		.optional()
		.describe('ID of the start node or trigger to start with, for agents with several. Default: the first one in the file.'),
	mocks: mocksSchema
		.optional()
		.describe('Outputs to use instead of running the nodes, by node ID. Applies only if the built-in gateway runs the agent.'),
	cache: z
		.boolean()
		.optional()
		.describe(
			'Whether to use cached model replies, so that a rerun is free and gives the same results. Applies only if the built-in gateway runs the agent.',
		),
});
export type WorkflowRunRequest = z.infer<typeof workflowRunRequestSchema>;

/**
 * Body of a draft run (beyond the contract): that of A1, `source`, a string to run in place of the agent's file as it was saved, and
 * `part`, the part of the agent to run; of a chatflow only a part can be, which responds to `query`.
 */
export const draftRunRequestSchema = workflowRunRequestSchema.extend({
	source: z.string().optional(),
	part: partialRunSchema.optional(),
	query: z.string().optional(),
});
export type DraftRunRequest = z.infer<typeof draftRunRequestSchema>;

/** Statuses of the contract, and those that newer services add (wire facts 1.3); any other string passes through. */
export type RunStatus = 'running' | 'succeeded' | 'failed' | 'stopped' | 'partial-succeeded' | 'paused' | (string & {});

/** Status filter of the log list (A4; `paused` beyond the contract). */
export const logStatuses = ['succeeded', 'failed', 'stopped', 'paused'] as const;
export type LogStatus = (typeof logStatuses)[number];

const runStatus: z.ZodType<RunStatus> = z.string();

/** Fields of a run in all its forms. Times in seconds; `total_steps` is a string in some services. */
const createRunResultFields = () => ({
	status: runStatus,
	error: z.string().nullable(),
	elapsed_time: z.number(),
	total_tokens: z.int(),
	total_steps: z.union([z.int(), z.string()]),
	created_at: timestamp,
	finished_at: timestamp.nullable(),
});
const createRunSummaryFields = () => ({ id: z.string(), workflow_id: z.string(), ...createRunResultFields() });

/**
 * Response of A1 in blocking mode (contract A1). The data of a run that has paused has `paused_nodes` and `reasons` too, as
 * `workflow_paused` has them.
 */
export const createWorkflowResponseSchema = () =>
	z.looseObject({
		workflow_run_id: z.string(),
		task_id: z.string(),
		data: z.looseObject({ ...createRunSummaryFields(), outputs: values.nullable() }),
	});
export type WorkflowResponse = z.infer<ReturnType<typeof createWorkflowResponseSchema>>;
/** Result of a run (contract A1). */
export type RunData = WorkflowResponse['data'];

/** Keys and indexes that lead to a value. */
export const valuePath: z.ZodType<readonly (string | number)[]> = z.array(z.union([z.string(), z.int()]));

const createJsonValuesSchema = () => z.union([values, z.string()]);

/** Response of A2. `inputs` and `outputs` are JSON-encoded strings in some services (contract A2). */
export const createWorkflowRunDetailSchema = () =>
	z.looseObject({
		...createRunSummaryFields(),
		inputs: createJsonValuesSchema(),
		outputs: createJsonValuesSchema().nullable(),
		/** Values that somebody set in a debugger, in that order (beyond the contract; built-in gateway); absent if nobody has. */
		changed_by_hand: z
			.array(
				z.looseObject({
					selector: valuePath,
					value: z.unknown(),
					previous: z.unknown(),
					node_id: z.string(),
					agent: z.string().exactOptional(),
					created_at: z.number(),
				}),
			)
			.exactOptional(),
	});
export type WorkflowRunDetail = z.infer<ReturnType<typeof createWorkflowRunDetailSchema>>;

/** Query of A4: `page` counts from 1 (default 1); `limit` items a page (default 20, services take 1 to 100). */
export const workflowLogsQuerySchema = z.object({
	model: z.string().min(1),
	keyword: z
		.string()
		.refine(text => !text.includes('\0'), 'expected a string without NUL characters')
		.optional(),
	status: z.enum(logStatuses).optional(),
	created_at__after: instant.optional().describe('Includes only runs that started at or after this time. An extension by Dify.'),
	created_at__before: instant.optional().describe('Includes only runs that started at or before this time.'),
	page: createIntegerSchema({ from: 1, to: 99_999 }).default(1),
	limit: createIntegerSchema({ from: 1, to: 100 }).default(20),
});
export type WorkflowLogsQuery = z.input<typeof workflowLogsQuerySchema>;

/** One entry of A4; the contract does not show it, the shape is Dify's (wire facts 1.2). */
const createWorkflowLogSchema = () =>
	z.looseObject({
		id: z.string(),
		workflow_run: z.looseObject({ id: z.string(), ...createRunResultFields(), version: z.string().exactOptional() }),
		created_from: z.string().exactOptional(),
		created_by_role: z.string().exactOptional(),
		created_by_account: z.object({ id: z.string(), name: z.string(), email: z.string() }).nullable().exactOptional(),
		created_by_end_user: z
			.object({ id: z.string(), type: z.string(), is_anonymous: z.boolean(), session_id: z.string() })
			.nullable()
			.exactOptional(),
		created_at: timestamp,
	});
export type WorkflowLog = z.infer<ReturnType<typeof createWorkflowLogSchema>>;

/** Response of A4 (contract A4). */
export const createWorkflowLogPageSchema = () =>
	z.object({
		page: z.int(),
		limit: z.int(),
		total: z.int(),
		has_more: z.boolean(),
		data: z.array(createWorkflowLogSchema()),
	});
export type WorkflowLogPage = z.infer<ReturnType<typeof createWorkflowLogPageSchema>>;

/** Body of A3: both required, and `user` must be the run's (contract A3). */
export const stopRequestSchema = z.looseObject({ model: z.string().min(1), user: z.string().min(1) });
export type StopRequest = z.infer<typeof stopRequestSchema>;

/** Response of A3 and B1. */
export const createResultResponseSchema = () => z.object({ result: z.literal('success') });
export type ResultResponse = z.infer<ReturnType<typeof createResultResponseSchema>>;

function isWebUrl(text: string): boolean {
	return /^https?:\/\//i.test(text) && URL.canParse(text);
}
