import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { isTooDeepJson } from '#contract/jsonDepth.ts';
import type { GenerateContentResponse } from '#contract/text/content.ts';
import type { ContentModelPage } from '#contract/text/models.ts';
import { toTimestampMs } from '#contract/timestamps.ts';
import type { RunData, WorkflowLog, WorkflowLogPage, WorkflowResponse, WorkflowRunDetail } from '#contract/workflows.ts';

/** Normalized fields that services send in several forms: counts as numbers, times as Unix seconds. */
interface Normal {
	total_steps: number;
	created_at: number;
	finished_at: number | null;
}

/** Normalized result of a run. */
type ReadRunData = RunData & Normal;

/** Normalized response of a blocking run. */
export type ReadWorkflowResponse = WorkflowResponse & { data: ReadRunData };

/** Normalized details of a run: `inputs` and `outputs` are always objects. */
export type ReadRunDetail = WorkflowRunDetail & Normal & { inputs: Record<string, unknown>; outputs: Record<string, unknown> | null };

/** Normalized entry of the run log. */
export type ReadWorkflowLog = WorkflowLog & { created_at: number; workflow_run: WorkflowLog['workflow_run'] & Normal };
export type ReadWorkflowLogPage = WorkflowLogPage & { data: ReadWorkflowLog[] };

/** Normalizes the response of a blocking run (A1). Like all readers, it changes the value in place. */
export function readWorkflowResponse(value: WorkflowResponse): ReadWorkflowResponse {
	normalizeRun(value.data);
	return value as ReadWorkflowResponse;
}

/** Normalizes the details of a run (A2). */
export function readRunDetail(value: WorkflowRunDetail): ReadRunDetail {
	normalizeRun(value);
	return value as ReadRunDetail;
}

/** Normalizes a page of the run log (A4). */
export function readLogPage(value: WorkflowLogPage): ReadWorkflowLogPage {
	for (const log of toList(value.data)) {
		normalizeTimes(log);
		normalizeRun(log.workflow_run);
	}
	return value as ReadWorkflowLogPage;
}

/** Normalizes the times of a page's items. */
export function normalizePage<P extends { readonly data: readonly object[] }>(page: P): P {
	toList(page.data).forEach(normalizeTimes);
	return page;
}

/** Normalizes generated content (E1). */
export function normalizeContent(value: GenerateContentResponse): GenerateContentResponse {
	normalizeContentChunk(value);
	return value;
}

/** Normalizes a page of models (E). A page without models lacks the field. */
export function readContentModels(page: ContentModelPage): ContentModelPage {
	toList(page.models ?? []);
	return page;
}

/** Converts `created_at` and `updated_at` of a listed item (conversation, message, agent, upload) to Unix seconds. */
export function normalizeTimes<T extends object>(value: T): T & { created_at: number } {
	const record = value as Record<string, unknown>;
	for (const name of ['created_at', 'updated_at', 'finished_at']) {
		const ms = toTimestampMs(record[name]);
		if (ms !== undefined) {
			record[name] = ms / 1000;
		}
	}
	return value as T & { created_at: number };
}

/** Normalizes a run event: the result in `workflow_finished`, the values in node events. */
export function normalizeRunEvent(event: { event: string }): void {
	const { data } = event as { data?: unknown };
	if (!isRecord(data)) {
		return;
	}
	if (event.event === 'workflow_finished') {
		normalizeRun(data as RunData);
	} else {
		parseEncoded(data, 'inputs');
		parseEncoded(data, 'outputs');
		parseEncoded(data, 'process_data');
	}
}

/** Field names of content responses (E) that some services write in snake case; replies use camelCase (wire facts 4.1). */
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

/** Normalizes content responses (E) to camelCase names, and to arrays if `candidates` or `parts` is a single object. */
export function normalizeContentChunk(chunk: GenerateContentResponse): void {
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

/** Returns a list unchanged. @throws {TypeError} if the value isn't a list of objects */
function toList<T extends object>(value: readonly T[]): readonly T[] {
	if (!Array.isArray(value) || value.some(item => !isRecord(item))) {
		throw new TypeError('no list of objects');
	}
	return value;
}

function normalizeRun(run: Pick<RunData, 'total_steps' | 'created_at' | 'finished_at'> & Record<string, unknown>): void {
	run.total_steps = toCount(run.total_steps) ?? 0;
	for (const name of ['elapsed_time', 'total_tokens']) {
		if (name in run) {
			run[name] = toCount(run[name]);
		}
	}
	for (const name of ['status', 'error']) {
		const value = run[name];
		if (value !== undefined && value !== null && typeof value !== 'string') {
			run[name] = JSON.stringify(value);
		}
	}
	normalizeTimes(run);
	run.finished_at ??= null;
	parseEncoded(run, 'inputs');
	parseEncoded(run, 'outputs');
}

/** Returns a count or time as a number, even if the service sent it as a string; `undefined` if it's neither. */
function toCount(value: unknown): number | undefined {
	const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return typeof count === 'number' && Number.isFinite(count) && count >= 0 ? count : undefined;
}

/** Parses an object that was sent as JSON text (contract A2). Other text is stored under `text`. */
function parseEncoded(record: Record<string, unknown>, name: string): void {
	const value = record[name];
	if (typeof value === 'string') {
		const parsed: unknown = value === '' ? null : tryParseJson(value);
		record[name] = parsed === null || (isRecord(parsed) && !isTooDeepJson(value, parsed)) ? parsed : { text: value };
	}
}
