import type { GenerateContentResponse } from '../protocol/content.ts';
import { timestampToMs } from '../protocol/timestamps.ts';
import type { RunData, RunSummary, WorkflowLog, WorkflowLogPage, WorkflowResponse, WorkflowRunDetail } from '../protocol/workflows.ts';
import { isRecord } from './errorBodies.ts';

/** Fields that services send in several forms, in one: counts as numbers, times as Unix seconds. */
interface Normal {
	total_steps: number;
	created_at: number;
	finished_at: number | null;
}

/** Result of a run as the client gives it. */
export type ReadRunData = RunData & Normal;

/** Answer of a blocking run as the client gives it. */
export type ReadWorkflowResponse = WorkflowResponse & { data: ReadRunData };

/** Detail of a run as the client gives it: `inputs` and `outputs` are objects whatever the service sent. */
export type ReadRunDetail = WorkflowRunDetail & Normal & { inputs: Record<string, unknown>; outputs: Record<string, unknown> | null };

/** Entry of the log list as the client gives it. */
export type ReadWorkflowLog = WorkflowLog & { created_at: number; workflow_run: WorkflowLog['workflow_run'] & Normal };
export type ReadWorkflowLogPage = WorkflowLogPage & { data: ReadWorkflowLog[] };

/** Answer of A1, `blocking`; changes it in place, as all readers do. */
export function readWorkflowResponse(value: WorkflowResponse): ReadWorkflowResponse {
	normaliseRun(value.data);
	return value as ReadWorkflowResponse;
}

/** Answer of A2. */
export function readRunDetail(value: WorkflowRunDetail): ReadRunDetail {
	normaliseRun(value);
	return value as ReadRunDetail;
}

/** Answer of A4. */
export function readLogPage(value: WorkflowLogPage): ReadWorkflowLogPage {
	for (const log of value.data) {
		normaliseTimes(log);
		normaliseRun(log.workflow_run);
	}
	return value as ReadWorkflowLogPage;
}

/** Brings `created_at` and `updated_at` of a listed thing (conversation, message, agent, upload) to Unix seconds. */
export function normaliseTimes<T extends object>(value: T): T & { created_at: number } {
	const record = value as Record<string, unknown>;
	for (const name of ['created_at', 'updated_at', 'finished_at']) {
		const ms = timestampToMs(record[name]);
		if (ms !== undefined) {
			record[name] = ms / 1000;
		}
	}
	return value as T & { created_at: number };
}

/** Events of a run: `workflow_finished` carries its result, node events their values. */
export function normaliseRunEvent(event: { event: string }): void {
	const { data } = event as { data?: unknown };
	if (!isRecord(data)) {
		return;
	}
	if (event.event === 'workflow_finished') {
		normaliseRun(data as RunSummary);
	} else {
		parseEncoded(data, 'inputs');
		parseEncoded(data, 'outputs');
		parseEncoded(data, 'process_data');
	}
}

/** Names of E that some services write in the form of requests; replies are camelCase (wire facts 4.1). */
const camelCase: Readonly<Record<string, string>> = {
	prompt_feedback: 'promptFeedback',
	usage_metadata: 'usageMetadata',
	model_version: 'modelVersion',
	response_id: 'responseId',
	block_reason: 'blockReason',
	safety_ratings: 'safetyRatings',
	finish_reason: 'finishReason',
	finish_message: 'finishMessage',
	citation_metadata: 'citationMetadata',
	grounding_metadata: 'groundingMetadata',
	prompt_token_count: 'promptTokenCount',
	candidates_token_count: 'candidatesTokenCount',
	thoughts_token_count: 'thoughtsTokenCount',
	cached_content_token_count: 'cachedContentTokenCount',
	total_token_count: 'totalTokenCount',
	total_tokens: 'totalTokens',
	inline_data: 'inlineData',
	mime_type: 'mimeType',
	file_data: 'fileData',
	file_uri: 'fileUri',
	function_call: 'functionCall',
	function_response: 'functionResponse',
	thought_signature: 'thoughtSignature',
};

/** Replies of E: camelCase names, arrays where a single object stands for `candidates` or `parts`. */
export function normaliseContentChunk(chunk: GenerateContentResponse): void {
	if (Array.isArray(chunk)) {
		return;
	}
	toCamelCase(chunk);
	if (isRecord(chunk.candidates)) {
		chunk.candidates = [chunk.candidates];
	}
	toCamelCase(chunk.promptFeedback);
	toCamelCase(chunk.usageMetadata);
	for (const candidate of chunk.candidates ?? []) {
		toCamelCase(candidate);
		const { content } = candidate;
		if (content === undefined) {
			continue;
		}
		if (isRecord(content.parts)) {
			content.parts = [content.parts];
		}
		for (const part of content.parts ?? []) {
			toCamelCase(part);
			toCamelCase(part['inlineData']);
			toCamelCase(part['fileData']);
		}
	}
}

function toCamelCase(value: unknown): void {
	if (!isRecord(value)) {
		return;
	}
	for (const name in value) {
		const other = camelCase[name];
		if (other !== undefined) {
			value[other] ??= value[name];
			delete value[name];
		}
	}
}

function normaliseRun(run: Pick<RunSummary, 'total_steps' | 'created_at' | 'finished_at'> & Record<string, unknown>): void {
	const steps = Number(run.total_steps ?? 0);
	run.total_steps = Number.isFinite(steps) ? steps : 0;
	normaliseTimes(run);
	run.finished_at ??= null;
	parseEncoded(run, 'inputs');
	parseEncoded(run, 'outputs');
}

/** An object that came as its JSON text (contract, "Workflow run detail"). Text that is no JSON object stays as it is, under `text`. */
function parseEncoded(record: Record<string, unknown>, name: string): void {
	const value = record[name];
	if (typeof value !== 'string') {
		return;
	}
	try {
		const parsed: unknown = value === '' ? null : JSON.parse(value);
		record[name] = parsed === null || isRecord(parsed) ? parsed : { text: value };
	} catch {
		record[name] = { text: value };
	}
}
