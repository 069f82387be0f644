import * as vscode from 'vscode';
import { messageOf, Problem, type Remedy, reasonOf, remedyOf } from '#base/problems.ts';
import type { ServiceKind } from '#contract/serviceKinds.ts';
import { withoutLinks } from '../../platform/wording.ts';
import type { ConnectionEntry } from '../connectionEntries.ts';
import { type GroupResult, testGroups, testSummary, testTimeoutMs } from '../connectionTest.ts';
import { groupLabel, kindFacts } from '../kindFacts.ts';
import { recogniseKind } from '../kindRecognition.ts';
import { changeKind } from './changeKind.ts';
import type { ActionContext } from './connectionActions.ts';

/**
 * Tests a connection and says how it went: how fast it was reached, or what is wrong, with the action that mends it. Where nothing that it asks for is there
 * and another kind of service answers, that kind is proposed.
 */
export async function testConnection(parts: ActionContext, entry: ConnectionEntry): Promise<void> {
	const { registry, clients } = parts;
	const progress = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Testing “{0}”', entry.name) };
	const { results, keys, other } = await vscode.window.withProgress(progress, async () => {
		const client = await registry.client(entry.id);
		const keys = await parts.keys.get(entry);
		const signal = AbortSignal.timeout(testTimeoutMs);
		const results = await testGroups(client, entry, keys, signal);
		const looksElsewhere = !results.some(({ kind }) => kind === 'accepted') && !results.some(isUnreached);
		return { results, keys, other: looksElsewhere ? await recogniseKind(clients, entry, keys, signal) : undefined };
	});
	if (other) {
		return proposeKind(parts, entry, other);
	}
	const failed = results.find(result => result.kind === 'failed');
	if (failed) {
		throw timeoutOr(failed, entry) ?? inGroup(registry.problem(entry.id, failed.error), failed, results);
	}
	void vscode.window.showInformationMessage(withoutLinks(`${entry.name}: ${testSummary(results, keys)}.`));
}

/** Whether nobody answered at all: no other kind would be either. */
function isUnreached(result: GroupResult): boolean {
	return result.kind === 'failed' && ['network', 'tls', 'timeout', 'aborted'].includes(reasonOf(result.error) ?? '');
}

async function proposeKind(parts: ActionContext, entry: ConnectionEntry, kind: ServiceKind): Promise<void> {
	const kinds = kindFacts();
	const change = vscode.l10n.t('Change to {0}', kinds[kind].label);
	const choice = await vscode.window.showWarningMessage(
		withoutLinks(
			vscode.l10n.t(
				'“{0}” is set up as {1}, and has nothing of that at {2}. It answers as {3} does.',
				entry.name,
				kinds[entry.kind].label,
				entry.baseUrl,
				kinds[kind].label,
			),
		),
		change,
	);
	// the question may have stood there for long
	const now = choice === change ? parts.settings.list().find(({ id }) => id === entry.id) : undefined;
	if (now) {
		if (now.baseUrl === entry.baseUrl) {
			await changeKind(parts, now, kind);
		}
		await testConnection(parts, { ...now, ...(now.baseUrl === entry.baseUrl && { kind }) });
	}
}

/** The test's own time limit aborts its requests; to the user that is a service that does not answer. */
function timeoutOr({ error }: GroupResult & { kind: 'failed' }, { name, id }: ConnectionEntry): Problem | undefined {
	const aborted = error instanceof Error && 'reason' in error && error.reason === 'aborted';
	const edit: Remedy = { title: vscode.l10n.t('Edit connection'), command: 'agentWorkbench.connection.edit', arguments: [id] };
	return aborted
		? new Problem('timeout', vscode.l10n.t('“{0}” did not answer within {1} s.', name, testTimeoutMs / 1000), edit)
		: undefined;
}

/** Names the group where others of the same connection do work. */
function inGroup(error: unknown, { group }: GroupResult, results: readonly GroupResult[]): unknown {
	const reason = reasonOf(error);
	return reason === undefined || results.every(result => result.kind === 'failed')
		? error
		: new Problem(reason, `${groupLabel(group)}: ${messageOf(error)}`, remedyOf(error), { cause: error });
}
