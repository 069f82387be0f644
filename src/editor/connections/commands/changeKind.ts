import { hasAgents, type ServiceKind, serviceKinds } from '#contract/serviceKinds.ts';
import { type ConnectionEntry, replaceAgents } from '../connectionEntries.ts';
import { convertKeysToKind } from '../kindRecognition.ts';
import type { ActionContext } from './connectionActions.ts';

/** Changes the kind of a connection. Keeps the ID, the address and the key. Drops the agent names if the new kind has no agents. */
export async function changeConnectionKind(
	{ settings, keys, prompt }: ActionContext,
	entry: ConnectionEntry,
	kind: ServiceKind,
): Promise<void> {
	const changed: ConnectionEntry = { ...(hasAgents(kind) ? entry : replaceAgents(entry, [])), kind };
	const kept = convertKeysToKind(kind, await keys.get(entry));
	await settings.saveEntry(changed);
	if (Object.keys(kept).length > 0) {
		await prompt.saveKeys(changed, kept);
	} else if (!serviceKinds[kind].keyOptional) {
		await prompt.askForKeys(changed);
	}
}
