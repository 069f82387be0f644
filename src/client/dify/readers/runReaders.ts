import type { NodeResultData } from '#contract/events.ts';
import type { HumanInputForm } from '#contract/humanInput.ts';
import type { DraftVariable, ManagedRun, ManagedRunDetail } from '../management.ts';
import {
	type ReplyFields,
	readAccountName,
	readList,
	readString,
	toOptionalNumber,
	toOptionalRecord,
	toOptionalText,
	toOptionalTime,
} from './fields.ts';

function readRun(fields: ReplyFields): ManagedRun {
	return {
		id: readString(fields, 'id'),
		status: toOptionalText(fields['status']) ?? '',
		elapsedSeconds: toOptionalNumber(fields['elapsed_time']),
		totalTokens: toOptionalNumber(fields['total_tokens']),
		totalSteps: toOptionalNumber(fields['total_steps']),
		createdAt: toOptionalTime(fields['created_at']),
		finishedAt: toOptionalTime(fields['finished_at']),
		by: readAccountName(fields['created_by_account']) ?? readAccountName(fields['created_by_end_user']),
		version: toOptionalText(fields['version']),
		error: toOptionalText(fields['error']),
	};
}

export function readRuns(page: ReplyFields): { readonly runs: readonly ManagedRun[]; readonly hasMore: boolean } {
	return { runs: readList(page['data']).map(readRun), hasMore: page['has_more'] === true };
}

export function readManagedRunDetail(fields: ReplyFields): ManagedRunDetail {
	return {
		...readRun(fields),
		inputs: toOptionalRecord(fields['inputs']),
		outputs: toOptionalRecord(fields['outputs']),
		graph: toOptionalRecord(fields['graph']),
	};
}

export function readNodes(value: ReplyFields): readonly NodeResultData[] {
	return readList(value['data']).map(readNodeResult);
}

/** Reads a node execution in the form of its event. */
export function readNodeResult(fields: ReplyFields): NodeResultData {
	const finished = toOptionalTime(fields['finished_at']);
	return {
		...fields,
		id: readString(fields, 'id'),
		node_id: readString(fields, 'node_id'),
		node_type: toOptionalText(fields['node_type']) ?? '',
		title: toOptionalText(fields['title']) ?? '',
		index: toOptionalNumber(fields['index']) ?? 1,
		predecessor_node_id: toOptionalText(fields['predecessor_node_id']) ?? null,
		inputs: toRecordOrNull(fields['inputs']),
		process_data: toRecordOrNull(fields['process_data']),
		outputs: toRecordOrNull(fields['outputs']),
		status: toOptionalText(fields['status']) ?? '',
		error: toOptionalText(fields['error']) ?? null,
		elapsed_time: toOptionalNumber(fields['elapsed_time']) ?? 0,
		execution_metadata: toRecordOrNull(fields['execution_metadata']),
		created_at: toOptionalTime(fields['created_at']) ?? 0,
		...(finished !== undefined && { finished_at: finished }),
	};
}

export function readVariable(fields: ReplyFields): DraftVariable {
	return {
		id: readString(fields, 'id'),
		name: toOptionalText(fields['name']) ?? '',
		selector: (Array.isArray(fields['selector']) ? fields['selector'] : []).map(String),
		type: toOptionalText(fields['value_type']) ?? toOptionalText(fields['type']) ?? '',
		value: fields['value'],
		edited: fields['edited'] === true,
	};
}

/** Throws if the value isn't a form. */
export function readForm(fields: ReplyFields): HumanInputForm {
	return {
		...fields,
		form_content: String(fields['form_content'] ?? ''),
		inputs: readList(fields['inputs'] ?? []) as unknown as HumanInputForm['inputs'],
		resolved_default_values: (toOptionalRecord(fields['resolved_default_values']) ?? {}) as Record<string, string>,
		user_actions: readList(fields['user_actions'] ?? []) as unknown as HumanInputForm['user_actions'],
		expiration_time: toOptionalTime(fields['expiration_time']) ?? null,
	};
}

function toRecordOrNull(value: unknown): Record<string, unknown> | null {
	return toOptionalRecord(value) ?? null;
}
