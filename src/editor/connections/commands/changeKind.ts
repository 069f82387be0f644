import { hasAgents, type ServiceKind, serviceKinds } from '#contract/serviceKinds.ts';
import { type ConnectionEntry, withAgents } from '../connectionEntries.ts';
import { keysOfKind } from '../kindRecognition.ts';
import type { ActionContext } from './connectionActions.ts';

/** Changes the kind of a connection. It keeps its ID, address and key, but loses its agent names if the new kind has no agents. */
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
