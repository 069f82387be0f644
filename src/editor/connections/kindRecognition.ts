import type { ServiceClient } from '#client/client.ts';
import { keyGroups, listKeyGroups, type ServiceKind } from '#contract/serviceKinds.ts';
import type { ConnectionEntry } from './connectionEntries.ts';
import { testEndpointGroups } from './connectionTest.ts';
import type { Keys } from './keys/keyStore.ts';
import type { ClientTarget, ServiceClients } from './serviceClients.ts';

/**
 * Kinds to try, those with the most endpoints first: a gateway also responds like an Anthropic-compatible server, but not the other way
 * around. The Anthropic API isn't included, because users choose its address from a list.
 */
const candidates: readonly ServiceKind[] = ['gateway', 'dify', 'gemini', 'openai', 'anthropic-compatible'];

/**
 * Finds out which other kind of service is at a connection's address. Sends small requests that don't generate or run anything, only to the
 * connection's own origin with its own key. Resolves to `undefined` if the service matches no other kind.
 */
export async function recognizeKind(
	clients: Pick<ServiceClients, 'createClient'>,
	entry: ConnectionEntry,
	keys: Keys,
	signal: AbortSignal,
): Promise<ServiceKind | undefined> {
	const others = candidates.filter(kind => kind !== entry.kind);
	const answers = await Promise.all(
		others.map(async kind => isServiceOfKind(clients, { ...entry, kind }, convertKeysToKind(kind, keys), signal)),
	);
	return others.find((_kind, index) => answers[index]);
}

/** Converts the keys of a connection for use as another kind. An endpoint group without a key gets any other key of the connection. */
export function convertKeysToKind(kind: ServiceKind, keys: Keys): Keys {
	const any = keyGroups.map(group => keys[group]).find(key => key !== undefined);
	const found: Partial<Record<(typeof keyGroups)[number], string>> = {};
	for (const group of listKeyGroups(kind)) {
		const key = keys[group] ?? any;
		if (key !== undefined) {
			found[group] = key;
		}
	}
	return found;
}

/**
 * True if the service lists models in OpenAI's format, with an `object` field. Other kinds list models at the same path in another format.
 */
async function hasOpenAiModels(client: ServiceClient, signal: AbortSignal): Promise<boolean> {
	const models = await client.listMessagesModels({ signal });
	return models.length > 0 && models.every(model => model['object'] === 'model' && model.type === undefined);
}

async function isServiceOfKind(
	clients: Pick<ServiceClients, 'createClient'>,
	entry: ConnectionEntry,
	keys: Keys,
	signal: AbortSignal,
): Promise<boolean> {
	const target: ClientTarget = { baseUrl: entry.baseUrl, kind: entry.kind, keys };
	const client: ServiceClient = await clients.createClient(target);
	try {
		const results = await testEndpointGroups(client, entry, keys, signal);
		const isIt = results.some(result => result.kind === 'accepted') && !results.some(result => result.kind === 'failed');
		return isIt && (entry.kind !== 'openai' || (await hasOpenAiModels(client, signal)));
	} finally {
		void client.close();
	}
}
