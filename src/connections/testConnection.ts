import * as vscode from 'vscode';
import { messageOf, Problem, reasonOf, remedyOf } from '../common/problems.ts';
import type { ActionContext } from './connectionActions.ts';
import type { ConnectionEntry } from './connectionSettings.ts';
import { type GroupResult, testGroups, testSummary, testTimeoutMs } from './connectionTest.ts';
import { groupLabel } from './kinds.ts';

/** Tests a connection and says how it went: how fast it was reached, or what is wrong, with the action that mends it. */
export async function testConnection({ registry, keys }: ActionContext, entry: ConnectionEntry): Promise<void> {
	const progress = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Testing “{0}”', entry.name) };
	const results = await vscode.window.withProgress(progress, async () => {
		const client = await registry.client(entry.id);
		return testGroups(client, entry, await keys.get(entry), AbortSignal.timeout(testTimeoutMs));
	});
	const failed = results.find(result => result.kind === 'failed');
	if (failed) {
		throw timeoutOr(failed, entry) ?? inGroup(registry.problem(entry.id, failed.error), failed, results);
	}
	void vscode.window.showInformationMessage(`${entry.name}: ${testSummary(results)}.`);
}

/** The test's own time limit aborts its requests; to the user that is a service that does not answer. */
function timeoutOr({ error }: GroupResult & { kind: 'failed' }, { name, id }: ConnectionEntry): Problem | undefined {
	const aborted = error instanceof Error && 'reason' in error && error.reason === 'aborted';
	const edit = { title: vscode.l10n.t('Edit connection'), command: 'agentWorkbench.connection.edit', arguments: [id] };
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
