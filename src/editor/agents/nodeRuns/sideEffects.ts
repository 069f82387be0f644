import * as vscode from 'vscode';
import { type AgentGraph, findNodesFrom } from '#agentFile/agentGraph.ts';
import { findNodeKind } from '#agentFile/nodeKinds/nodeKinds.ts';
import { toFields } from '#base/records/plainValues.ts';
import type { PartialRun } from '#contract/partialRun.ts';
import { escapeLinks } from '../../platform/wording.ts';

/** How a fork handles calls with side effects that differ from those of its parent. */
type SideEffects = NonNullable<PartialRun['side_effects']>;

/** Titles in the question. More are only counted. */
const mostTitles = 5;

/**
 * Decides whether calls of a fork that can change something are made, by the setting or by asking. Returns `undefined` on cancel.
 * @param from IDs of the nodes that the fork starts from
 * @param mayReuse true if replies of the run can be used instead
 */
export async function confirmSideEffects(graph: AgentGraph, from: readonly string[], mayReuse: boolean): Promise<SideEffects | undefined> {
	const after = new Set(from.flatMap(id => [...findNodesFrom(graph, id)]));
	const nodes = graph.nodes.filter(({ id, type, data }) => after.has(id) && findNodeKind(type)?.hasSideEffects?.(toFields(data)));
	const setting = vscode.workspace.getConfiguration('agentWorkbench').get<SideEffects | 'ask'>('debug.forkSideEffects', 'ask');
	if (nodes.length === 0 || setting === 'run') {
		return 'run';
	}
	if (setting === 'recorded' && mayReuse) {
		return setting;
	}
	const run = vscode.l10n.t('Run');
	const reuse = vscode.l10n.t('Use recorded replies');
	const titles = nodes.slice(0, mostTitles).map(({ title }) => `'${title}'`);
	const names = nodes.length > mostTitles ? [...titles, vscode.l10n.t('{0} more', nodes.length - mostTitles)] : titles;
	const answer = await vscode.window.showWarningMessage(
		escapeLinks(vscode.l10n.t('Run nodes that can change something: {0}?', names.join(', '))),
		{
			modal: true,
			detail: mayReuse
				? vscode.l10n.t(
						"Calls that are the same as in the run aren't made again. For other calls, 'Use recorded replies' gives the node what it got in the run.",
					)
				: vscode.l10n.t('There are no recorded replies to use, so these nodes make all their calls again.'),
		},
		run,
		...(mayReuse ? [reuse] : []),
	);
	return answer === run ? 'run' : answer === reuse ? 'recorded' : undefined;
}
