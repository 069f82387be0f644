import * as vscode from 'vscode';
import { getErrorReason } from '#base/problems.ts';
import type { ServiceClient } from '#client/client.ts';
import { type KeyGroup, listKeyGroups, serviceKinds } from '#contract/serviceKinds.ts';
import type { ConnectionEntry } from './connectionEntries.ts';
import type { Keys } from './keys/keyStore.ts';

/**
 * Result of testing one endpoint group. `ms` is the duration of the request. `accepted` means that the request succeeded, `not-found` that
 * the key was accepted but the agent or the whole endpoint wasn't found.
 */
export type GroupResult =
	| { readonly group: KeyGroup; readonly kind: 'accepted' | 'not-found'; readonly ms: number }
	| { readonly group: KeyGroup; readonly kind: 'failed'; readonly ms: number; readonly error: unknown };

/** Error reasons that imply that the service accepted the key. */
const keyWasRead = new Set(['not-found', 'not-published', 'invalid-request']);

/**
 * Sends a small request to each endpoint group with a key. The requests are free and don't generate or run anything. Never rejects:
 * failures are part of the results.
 */
export function testEndpointGroups(client: ServiceClient, entry: ConnectionEntry, keys: Keys, signal: AbortSignal): Promise<GroupResult[]> {
	const { keyOptional } = serviceKinds[entry.kind];
	return Promise.all(
		listKeyGroups(entry.kind)
			.filter(group => keyOptional || keys[group])
			.map(group => testEndpointGroup(client, entry, group, signal)),
	);
}

/** Time limit of a connection test, in milliseconds. */
export const testTimeoutMs = 15_000;

/** Formats the message for a test in which no request failed. */
export function formatTestResult(name: string, results: readonly GroupResult[], keys: Keys): string {
	const ms = Math.round(Math.min(...results.map(result => result.ms)));
	if (!results.some(({ group }) => keys[group])) {
		return vscode.l10n.t("'{0}' responded in {1} ms. No key is set, so none was sent.", name, ms);
	}
	return results.some(result => result.kind === 'accepted')
		? vscode.l10n.t("'{0}' responded in {1} ms. Key accepted.", name, ms)
		: vscode.l10n.t("'{0}' responded in {1} ms. Key accepted, but the resource wasn't found.", name, ms);
}

async function testEndpointGroup(
	client: ServiceClient,
	entry: ConnectionEntry,
	group: KeyGroup,
	signal: AbortSignal,
): Promise<GroupResult> {
	const start = performance.now();
	const getElapsedMs = () => performance.now() - start;
	try {
		await sendTestRequest(client, entry, group, signal);
		return { group, kind: 'accepted', ms: getElapsedMs() };
	} catch (error) {
		const reason = getErrorReason(error);
		if (reason !== undefined && keyWasRead.has(reason)) {
			return { group, kind: 'not-found', ms: getElapsedMs() };
		}
		return { group, kind: 'failed', ms: getElapsedMs(), error };
	}
}

async function sendTestRequest(client: ServiceClient, entry: ConnectionEntry, group: KeyGroup, signal: AbortSignal): Promise<void> {
	switch (group) {
		case 'agent':
			await (entry.kind === 'dify'
				? // apps in all modes have parameters
					client.getAgentParameters({ model: entry.name }, { signal })
				: // of the contract's lists, this is the only one that all services with agents have
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
