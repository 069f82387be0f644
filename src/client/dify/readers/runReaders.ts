import type { NodeResultData } from '#contract/events.ts';
import type { HumanInputForm } from '#contract/humanInput.ts';
import type { DraftVariable, ManagedRun, ManagedRunDetail } from '../management.ts';
import { accountName, listOf, optionalNumber, optionalRecord, optionalText, optionalTime, type ReplyFields, textIn } from './fields.ts';

function readRun(fields: ReplyFields): ManagedRun {
	return {
		id: textIn(fields, 'id'),
		status: optionalText(fields['status']) ?? '',
		elapsedSeconds: optionalNumber(fields['elapsed_time']),
		totalTokens: optionalNumber(fields['total_tokens']),
		totalSteps: optionalNumber(fields['total_steps']),
		createdAt: optionalTime(fields['created_at']),
		finishedAt: optionalTime(fields['finished_at']),
		by: accountName(fields['created_by_account']) ?? accountName(fields['created_by_end_user']),
		version: optionalText(fields['version']),
		error: optionalText(fields['error']),
	};
}

export function readRuns(page: ReplyFields): { readonly runs: readonly ManagedRun[]; readonly hasMore: boolean } {
	return { runs: listOf(page['data']).map(readRun), hasMore: page['has_more'] === true };
}

export function readManagedRunDetail(fields: ReplyFields): ManagedRunDetail {
	return {
		...readRun(fields),
		inputs: optionalRecord(fields['inputs']),
		outputs: optionalRecord(fields['outputs']),
		graph: optionalRecord(fields['graph']),
	};
}

export function readNodes(value: ReplyFields): readonly NodeResultData[] {
	return listOf(value['data']).map(readNode);
}

/** Reads a node execution in the form of its event. */
export function readNode(fields: ReplyFields): NodeResultData {
	const finished = optionalTime(fields['finished_at']);
	return {
		...fields,
		id: textIn(fields, 'id'),
		node_id: textIn(fields, 'node_id'),
		node_type: optionalText(fields['node_type']) ?? '',
		title: optionalText(fields['title']) ?? '',
		index: optionalNumber(fields['index']) ?? 1,
		predecessor_node_id: optionalText(fields['predecessor_node_id']) ?? null,
		inputs: recordOrNull(fields['inputs']),
		process_data: recordOrNull(fields['process_data']),
		outputs: recordOrNull(fields['outputs']),
		status: optionalText(fields['status']) ?? '',
		error: optionalText(fields['error']) ?? null,
		elapsed_time: optionalNumber(fields['elapsed_time']) ?? 0,
		execution_metadata: recordOrNull(fields['execution_metadata']),
		created_at: optionalTime(fields['created_at']) ?? 0,
		...(finished !== undefined && { finished_at: finished }),
	};
}

export function readVariable(fields: ReplyFields): DraftVariable {
	return {
		id: textIn(fields, 'id'),
		name: optionalText(fields['name']) ?? '',
		selector: (Array.isArray(fields['selector']) ? fields['selector'] : []).map(String),
		type: optionalText(fields['value_type']) ?? optionalText(fields['type']) ?? '',
		value: fields['value'],
		edited: fields['edited'] === true,
	};
}

/** Throws if the value isn't a form. */
export function readForm(fields: ReplyFields): HumanInputForm {
	return {
		...fields,
		form_content: String(fields['form_content'] ?? ''),
		inputs: listOf(fields['inputs'] ?? []) as unknown as HumanInputForm['inputs'],
		resolved_default_values: (optionalRecord(fields['resolved_default_values']) ?? {}) as Record<string, string>,
		user_actions: listOf(fields['user_actions'] ?? []) as unknown as HumanInputForm['user_actions'],
		expiration_time: optionalTime(fields['expiration_time']) ?? null,
	};
}

function recordOrNull(value: unknown): Record<string, unknown> | null {
	return optionalRecord(value) ?? null;
}
