import * as vscode from 'vscode';
import { reasonOf } from '#base/problems.ts';
import type { ServiceClient } from '#client/client.ts';
import { groupsOf, type KeyGroup, serviceKinds } from '#contract/serviceKinds.ts';
import type { ConnectionEntry } from './connectionEntries.ts';
import type { Keys } from './keys/keyStore.ts';

/**
 * What a test of one endpoint group found, and how long its request took in milliseconds. `accepted`: it gave what was asked for; `not-found`: it refused no
 * key, and has not what was asked for, which may be the agent alone or the whole endpoint.
 */
export type GroupResult =
	| { readonly group: KeyGroup; readonly kind: 'accepted' | 'not-found'; readonly ms: number }
	| { readonly group: KeyGroup; readonly kind: 'failed'; readonly ms: number; readonly error: unknown };

/** Answers by which a service shows that it knows the key, though not what was asked for. */
const keyWasRead = new Set(['not-found', 'not-published', 'invalid-request']);

/**
 * Asks a service for something small and free in each group that it has and there is a key for, so that nothing is generated or run.
 * Never rejects: what failed stands in the results.
 */
export function testGroups(client: ServiceClient, entry: ConnectionEntry, keys: Keys, signal: AbortSignal): Promise<GroupResult[]> {
	const { keyOptional } = serviceKinds[entry.kind];
	return Promise.all(
		groupsOf(entry.kind)
			.filter(group => keyOptional || keys[group])
			.map(group => testGroup(client, entry, group, signal)),
	);
}

/** A time limit after which a test is called off: nobody waits a minute for "is it there?". */
export const testTimeoutMs = 15_000;

/** What a test says in a clause, where nothing failed. */
export function testSummary(results: readonly GroupResult[], keys: Keys): string {
	const ms = Math.round(Math.min(...results.map(result => result.ms)));
	if (!results.some(({ group }) => keys[group])) {
		return vscode.l10n.t('reached in {0} ms; no key is set, and none was sent', ms);
	}
	return results.some(result => result.kind === 'accepted')
		? vscode.l10n.t('reached in {0} ms, key accepted', ms)
		: vscode.l10n.t('reached in {0} ms, key not refused; what was asked for is not there', ms);
}

async function testGroup(client: ServiceClient, entry: ConnectionEntry, group: KeyGroup, signal: AbortSignal): Promise<GroupResult> {
	const start = performance.now();
	const ms = () => performance.now() - start;
	try {
		await request(client, entry, group, signal);
		return { group, kind: 'accepted', ms: ms() };
	} catch (error) {
		const reason = reasonOf(error);
		if (reason !== undefined && keyWasRead.has(reason)) {
			return { group, kind: 'not-found', ms: ms() };
		}
		return { group, kind: 'failed', ms: ms(), error };
	}
}

async function request(client: ServiceClient, entry: ConnectionEntry, group: KeyGroup, signal: AbortSignal): Promise<void> {
	switch (group) {
		case 'agent':
			await (entry.kind === 'dify'
				? // every app has them, whatever its mode
					client.agentParameters({ model: entry.name }, { signal })
				: // the contract's one listing that every service with agents has
					client.listLogs({ model: entry.agents?.[0] ?? entry.name, limit: 1 }, { signal }));
			break;
		case 'messages':
			await client.listMessagesModels({ signal });
			break;
		case 'content':
			await client.listContentModels({ signal });
			break;
	}
}
