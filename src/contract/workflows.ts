import * as z from 'zod';
import { attackSchema } from './attack.ts';
import { mocksSchema } from './mocks.ts';
import { partialRunSchema } from './partialRun.ts';
import { createIntegerSchema, instant, timestamp, values } from './ranges.ts';
import { recordingUseSchema } from './recordings/recordings.ts';

/** Kinds of file that a run accepts (contract A1). */
export const fileTypes = ['document', 'image', 'audio', 'video', 'custom'] as const;

/** A file of a run, given by URL or by the ID of an upload (contract A1). */
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

/** How a run responds: `streaming` (events as they happen, recommended) or `blocking` (one JSON object at the end). */
export const responseModes = ['streaming', 'blocking'] as const;
export type ResponseMode = (typeof responseModes)[number];

/** Body of a workflow run (contract A1), and content of a run file. Unknown fields are kept and sent. */
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
	recording: recordingUseSchema
		.optional()
		.describe('Open recording that the run replays or adds to. Applies only if the built-in gateway runs the agent.'),
});
export type WorkflowRunRequest = z.infer<typeof workflowRunRequestSchema>;

/**
 * Body of a draft run (not in the contract): the body of a workflow run, with a `source` to run instead of the saved agent file, and the
 * `part` of the agent to run. A chatflow supports only a part, which responds to `query`.
 */
export const draftRunRequestSchema = workflowRunRequestSchema.extend({
	source: z.string().optional(),
	part: partialRunSchema.optional(),
	query: z.string().optional(),
	attack: attackSchema.optional(),
});
export type DraftRunRequest = z.infer<typeof draftRunRequestSchema>;

/** Statuses of the contract, and those that newer services add (wire facts 1.3); any other string passes through. */
export type RunStatus = 'running' | 'succeeded' | 'failed' | 'stopped' | 'partial-succeeded' | 'paused' | (string & {});

/** Error of a run that was stopped without another reason, in the hosted service's wording. */
export const stoppedByUser = 'Stopped by user.';

/** Status filter of the log list (A4; `paused` isn't in the contract). */
export const logStatuses = ['succeeded', 'failed', 'stopped', 'paused'] as const;
export type LogStatus = (typeof logStatuses)[number];

const runStatus: z.ZodType<RunStatus> = z.string();

/** Fields that all descriptions of a run have. Times are in seconds. `total_steps` is a string in some services. */
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

/** Response of a blocking run (contract A1). If the run paused, its data also has `paused_nodes` and `reasons`, as in `workflow_paused`. */
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

/** Details of a run (contract A2). `inputs` and `outputs` are JSON-encoded strings in some services. */
export const createWorkflowRunDetailSchema = () =>
	z.looseObject({
		...createRunSummaryFields(),
		inputs: createJsonValuesSchema(),
		outputs: createJsonValuesSchema().nullable(),
		/** Values that were set in a debugger, in order (built-in gateway, not in the contract); absent if there are none. */
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
		/** Number of replies that forks of this run can reuse (built-in gateway, not in the contract); absent if none were kept. */
		kept_replies: z.int().exactOptional(),
	});
export type WorkflowRunDetail = z.infer<ReturnType<typeof createWorkflowRunDetailSchema>>;

/** Query of the run log (A4). `page` counts from 1 (default 1). `limit` is the size of a page (default 20, services accept 1 to 100). */
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

/** An entry of the run log (A4). The contract doesn't define it, so the fields are Dify's (wire facts 1.2). */
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

/** A page of the run log (contract A4). */
export const createWorkflowLogPageSchema = () =>
	z.object({
		page: z.int(),
		limit: z.int(),
		total: z.int(),
		has_more: z.boolean(),
		data: z.array(createWorkflowLogSchema()),
	});
export type WorkflowLogPage = z.infer<ReturnType<typeof createWorkflowLogPageSchema>>;

/** Body of a request to stop a run (contract A3). `user` must be the user who started it. */
export const stopRequestSchema = z.looseObject({ model: z.string().min(1), user: z.string().min(1) });
export type StopRequest = z.infer<typeof stopRequestSchema>;

/** Response of requests to stop a run (A3) and to delete a conversation (B1). */
export const createResultResponseSchema = () => z.object({ result: z.literal('success') });
export type ResultResponse = z.infer<ReturnType<typeof createResultResponseSchema>>;

function isWebUrl(text: string): boolean {
	return /^https?:\/\//i.test(text) && URL.canParse(text);
}
