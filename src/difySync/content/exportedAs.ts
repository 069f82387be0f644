import { fieldOf, textOf } from '../../agentFile/plainValues.ts';
import type { AppContent } from './appContent.ts';
import { changedFields } from './fieldChanges.ts';

/** What exports leave out, whatever was imported. */
const leftOut = /(?:^|[.\]])(?:credential_id|webhook_url|webhook_debug_url|subscription_id|dataset_ids)(?:$|[.[])/;

/**
 * Whether an export can be that of a text that was imported, and of no later change: a deployment fills in fields that are missing, and leaves out
 * credentials, foreign knowledge and what belongs to triggers. It changes nothing else.
 */
export function isExportOf(sent: AppContent, exported: AppContent): boolean {
	const ownChange = (before: unknown, after: unknown) =>
		changedFields(before, after, '').every(change => change.before === undefined || leftOut.test(change.path));
	const sameItems = (one: AppContent['nodes'], other: AppContent['nodes']) =>
		one.size === other.size &&
		[...one].every(([key, item]) => {
			const isTrigger = textOf(fieldOf(item, 'data'), 'type').startsWith('trigger-');
			return other.has(key) && (isTrigger || ownChange(item, other.get(key)));
		});
	return (
		sameItems(sent.nodes, exported.nodes) &&
		sameItems(sent.edges, exported.edges) &&
		sameItems(sent.environment, exported.environment) &&
		sameItems(sent.conversation, exported.conversation) &&
		ownChange(sent.rest, exported.rest)
	);
}
