import { hasAgents, type ServiceKind, serviceKinds } from '#contract/serviceKinds.ts';
import { type ConnectionEntry, withAgents } from '../connectionEntries.ts';
import { keysOfKind } from '../kindRecognition.ts';
import type { ActionContext } from './connectionActions.ts';

/** Makes a connection one of another kind. It keeps its ID, address and key; names of agents go where the kind has none. */
export async function changeKind({ settings, keys, prompt }: ActionContext, entry: ConnectionEntry, kind: ServiceKind): Promise<void> {
	const changed: ConnectionEntry = { ...(hasAgents(kind) ? entry : withAgents(entry, [])), kind };
	const kept = keysOfKind(kind, await keys.get(entry));
	await settings.save(changed);
	if (Object.keys(kept).length > 0) {
		await prompt.keep(changed, kept);
	} else if (!serviceKinds[kind].keyOptional) {
		await prompt.ask(changed);
	}
}
