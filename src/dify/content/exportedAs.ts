import { fieldOf, textOf } from '#base/records/plainValues.ts';
import type { AppContent } from './appContent.ts';
import { changedFields } from './fieldChanges.ts';

/** What exports leave out, whatever was imported. */
const leftOut = /(?:^|[.\]])(?:credential_id|webhook_url|webhook_debug_url|subscription_id|dataset_ids)(?:$|[.[])/;
/** What older releases do not have, and what an import into an app that is there does not change. */
const notTaken = /^(?:app\.(?:icon_type|use_icon_as_answer_icon)|(?:workflow\.)?rag_pipeline_variables)(?:$|\W)/;

/**
 * Whether an export can be that of a text that was imported, and of no later change: a deployment fills in fields that are missing, and leaves out
 * credentials, foreign knowledge and what belongs to triggers; of a secret that it keeps, it keeps the description too. It changes nothing else.
 */
export function isExportOf(sent: AppContent, exported: AppContent): boolean {
	const isOwn = (before: unknown, after: unknown) =>
		changedFields(before, after, '').every(
			change => change.before === undefined || leftOut.test(change.path) || notTaken.test(change.path),
		);
	const areOwn = (one: AppContent['nodes'], other: AppContent['nodes']) =>
		one.size === other.size &&
		[...one].every(([key, item]) => {
			const isFree = textOf(fieldOf(item, 'data'), 'type').startsWith('trigger-') || textOf(item, 'value_type') === 'secret';
			return other.has(key) && (isFree || isOwn(item, other.get(key)));
		});
	return (
		areOwn(sent.nodes, exported.nodes) &&
		areOwn(sent.edges, exported.edges) &&
		areOwn(sent.environment, exported.environment) &&
		areOwn(sent.conversation, exported.conversation) &&
		isOwn(sent.rest, exported.rest)
	);
}
