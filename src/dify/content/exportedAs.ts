import { getField, getFieldText } from '#base/records/plainValues.ts';
import type { AppContent } from './appContent.ts';
import { findChangedFields } from './fieldChanges.ts';

/** Fields that exports always omit. */
const leftOut = /(?:^|[.\]])(?:credential_id|webhook_url|webhook_debug_url|subscription_id|dataset_ids)(?:$|[.[])/;
/** Fields that older releases don't have, and that importing into an existing app doesn't change. */
const notTaken = /^(?:app\.(?:icon_type|use_icon_as_answer_icon)|(?:workflow\.)?rag_pipeline_variables)(?:$|\W)/;

/**
 * True if an export only differs from the imported text in ways that Dify's import explains: it fills in missing fields, omits credentials,
 * trigger data and knowledge of other workspaces, and keeps the description of a secret whose value it keeps. Any other difference is a
 * later change.
 */
export function isExportOf(sent: AppContent, exported: AppContent): boolean {
	const isUnchangedValue = (before: unknown, after: unknown) =>
		findChangedFields(before, after, '').every(
			change => change.before === undefined || leftOut.test(change.path) || notTaken.test(change.path),
		);
	const areUnchangedItems = (one: AppContent['nodes'], other: AppContent['nodes']) =>
		one.size === other.size &&
		[...one].every(([key, item]) => {
			const isFree = getFieldText(getField(item, 'data'), 'type').startsWith('trigger-') || getFieldText(item, 'value_type') === 'secret';
			return other.has(key) && (isFree || isUnchangedValue(item, other.get(key)));
		});
	return (
		areUnchangedItems(sent.nodes, exported.nodes) &&
		areUnchangedItems(sent.edges, exported.edges) &&
		areUnchangedItems(sent.environment, exported.environment) &&
		areUnchangedItems(sent.conversation, exported.conversation) &&
		isUnchangedValue(sent.rest, exported.rest)
	);
}
