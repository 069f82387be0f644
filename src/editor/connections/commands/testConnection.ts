import * as vscode from 'vscode';
import { getErrorMessage, getErrorReason, getRemedy, Problem, type Remedy } from '#base/problems.ts';
import type { ServiceKind } from '#contract/serviceKinds.ts';
import { escapeLinks } from '../../platform/wording.ts';
import type { ConnectionEntry } from '../connectionEntries.ts';
import { formatTestResult, type GroupResult, testEndpointGroups, testTimeoutMs } from '../connectionTest.ts';
import { getKeyGroupLabel, getKindFacts } from '../kindFacts.ts';
import { recognizeKind } from '../kindRecognition.ts';
import { changeConnectionKind } from './changeKind.ts';
import type { ActionContext } from './connectionActions.ts';

/**
 * Tests a connection, and shows the response time or the problem. If no endpoint was found and the service responds like one of another
 * kind, offers to change the kind.
 */
export async function testConnection(parts: ActionContext, entry: ConnectionEntry): Promise<void> {
	const { registry, clients } = parts;
	const progress = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t("Testing '{0}'…", entry.name) };
	const { results, keys, other } = await vscode.window.withProgress(progress, async () => {
		const client = await registry.getClient(entry.id);
		const keys = await parts.keys.get(entry);
		const signal = AbortSignal.timeout(testTimeoutMs);
		const results = await testEndpointGroups(client, entry, keys, signal);
		const looksElsewhere = !results.some(({ kind }) => kind === 'accepted') && !results.some(isUnreachable);
		return { results, keys, other: looksElsewhere ? await recognizeKind(clients, entry, keys, signal) : undefined };
	});
	if (other) {
		return proposeKind(parts, entry, other);
	}
	const failed = results.find(result => result.kind === 'failed');
	if (failed) {
		throw toTimeoutProblem(failed, entry) ?? addGroupLabel(registry.toProblem(entry.id, failed.error), failed, results);
	}
	void vscode.window.showInformationMessage(escapeLinks(formatTestResult(entry.name, results, keys)));
}

/** True if the service couldn't be reached, which makes trying other kinds pointless. */
function isUnreachable(result: GroupResult): boolean {
	return result.kind === 'failed' && ['network', 'tls', 'timeout', 'aborted'].includes(getErrorReason(result.error) ?? '');
}

async function proposeKind(parts: ActionContext, entry: ConnectionEntry, kind: ServiceKind): Promise<void> {
	const kinds = getKindFacts();
	const change = vscode.l10n.t('Change kind');
	const choice = await vscode.window.showWarningMessage(
		escapeLinks(
			vscode.l10n.t(
				"'{0}' is set up as '{1}', but {2} responds as '{3}'.",
				entry.name,
				kinds[entry.kind].label,
				entry.baseUrl,
				kinds[kind].label,
			),
		),
		change,
	);
	// the connection may have changed while the message was open
	const now = choice === change ? parts.settings.listEntries().find(({ id }) => id === entry.id) : undefined;
	if (now) {
		if (now.baseUrl === entry.baseUrl) {
			await changeConnectionKind(parts, now, kind);
		}
		await testConnection(parts, { ...now, ...(now.baseUrl === entry.baseUrl && { kind }) });
	}
}

/** Returns a timeout problem if the test's time limit aborted the request. */
function toTimeoutProblem({ error }: GroupResult & { kind: 'failed' }, { name, id }: ConnectionEntry): Problem | undefined {
	const aborted = error instanceof Error && 'reason' in error && error.reason === 'aborted';
	const edit: Remedy = { title: vscode.l10n.t('Edit connection'), command: 'agentWorkbench.connection.edit', arguments: [id] };
	return aborted
		? new Problem('timeout', vscode.l10n.t("'{0}' didn't respond within {1} s.", name, testTimeoutMs / 1000), edit)
		: undefined;
}

/** Adds the endpoint group to an error's message if other groups of the connection work. */
function addGroupLabel(error: unknown, { group }: GroupResult, results: readonly GroupResult[]): unknown {
	const reason = getErrorReason(error);
	return reason === undefined || results.every(result => result.kind === 'failed')
		? error
		: new Problem(
				reason,
				vscode.l10n.t({
					message: '{0}: {1}',
					args: [getKeyGroupLabel(group), getErrorMessage(error)],
					comment: ["{0} is a part of a service, such as 'Agents and conversations', {1} is an error message"],
				}),
				getRemedy(error),
				{ cause: error },
			);
}
