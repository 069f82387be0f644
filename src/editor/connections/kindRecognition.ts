import type { ServiceClient } from '#client/client.ts';
import { groupsOf, keyGroups, type ServiceKind } from '#contract/serviceKinds.ts';
import type { ConnectionEntry } from './connectionEntries.ts';
import { testGroups } from './connectionTest.ts';
import type { Keys } from './keys/keyStore.ts';
import type { ClientTarget, ServiceClients } from './serviceClients.ts';

/**
 * The more endpoints a kind asks for, the surer it is: a gateway answers where an Anthropic-compatible server does, and not the other way round. The
 * Anthropic API itself is known by its address, which is chosen from a list.
 */
const candidates: readonly ServiceKind[] = ['gateway', 'dify', 'gemini', 'openai', 'anthropic-compatible'];

/**
 * Which kind of service answers at a connection's address, by small requests of each kind that generate and run nothing; `undefined` where none of them
 * gets what it asks for. Every request goes to the connection's own origin, with the key that it has.
 */
export async function recogniseKind(
	clients: Pick<ServiceClients, 'create'>,
	entry: ConnectionEntry,
	keys: Keys,
	signal: AbortSignal,
): Promise<ServiceKind | undefined> {
	const others = candidates.filter(kind => kind !== entry.kind);
	const answers = await Promise.all(others.map(async kind => answersAs(clients, { ...entry, kind }, keysOfKind(kind, keys), signal)));
	return others.find((_kind, index) => answers[index]);
}

/** The keys of a connection as one of another kind needs them: where it has none for an endpoint group, any that it has. */
export function keysOfKind(kind: ServiceKind, keys: Keys): Keys {
	const any = keyGroups.map(group => keys[group]).find(key => key !== undefined);
	const found: Partial<Record<(typeof keyGroups)[number], string>> = {};
	for (const group of groupsOf(kind)) {
		const key = keys[group] ?? any;
		if (key !== undefined) {
			found[group] = key;
		}
	}
	return found;
}

/** Both kinds of model server list their models at one path: that of OpenAI's protocol calls each an object. */
async function listsAsOpenAi(client: ServiceClient, signal: AbortSignal): Promise<boolean> {
	const models = await client.listMessagesModels({ signal });
	return models.length > 0 && models.every(model => model['object'] === 'model' && model.type === undefined);
}

async function answersAs(
	clients: Pick<ServiceClients, 'create'>,
	entry: ConnectionEntry,
	keys: Keys,
	signal: AbortSignal,
): Promise<boolean> {
	const target: ClientTarget = { baseUrl: entry.baseUrl, kind: entry.kind, keys };
	const client: ServiceClient = await clients.create(target);
	try {
		const results = await testGroups(client, entry, keys, signal);
		const isIt = results.some(result => result.kind === 'accepted') && !results.some(result => result.kind === 'failed');
		return isIt && (entry.kind !== 'openai' || (await listsAsOpenAi(client, signal)));
	} finally {
		void client.close();
	}
}
