import * as vscode from 'vscode';
import { type AgentGraph, type GraphNode, graphPath } from '#agentFile/agentGraph.ts';
import { listScopesBefore } from '#agentFile/agentVariables.ts';
import { findReferences } from '#agentFile/names/referencesIn.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { findNodeAt } from '#agentFile/yamlTree.ts';
import { getOwnField } from '#base/records/ownField.ts';
import type { PartialRun } from '#contract/partialRun.ts';
import type { RunValues } from '#runs/events/runValues.ts';
import { escapeIcons, toOneLine } from '../../platform/wording.ts';
import { askForChangedValue, formatForInput } from './changedValue.ts';

/** Changed values of a fork, and whether it may reuse recorded replies. */
export type ForkChoice = Pick<PartialRun, 'variables' | 'replies'>;

/** The run to fork and the node to fork it from. */
interface ForkSource {
	/** Text of the agent file. */
	readonly text: string;
	readonly graph: AgentGraph;
	readonly node: GraphNode;
	/** Outputs of the run's nodes. */
	readonly known: RunValues;
	/** Number of its replies that the fork can reuse; undefined if none were kept. */
	readonly keptReplies: number | undefined;
}

/** An output of a node that the fork can change. */
interface ForkValue {
	readonly node: GraphNode;
	readonly name: string;
	readonly type: string;
	readonly recorded: unknown;
	/** True if the forked node refers to it. */
	readonly isUsed: boolean;
}

interface ForkItem extends vscode.QuickPickItem {
	readonly choice?: 'run' | 'ask';
	readonly value?: ForkValue;
}

/** Lets the user change values of earlier nodes, as often as they like, before the fork starts. Resolves to `undefined` on cancel. */
export async function askForFork(source: ForkSource): Promise<ForkChoice | undefined> {
	const values = listForkValues(source);
	const changes = new Map<ForkValue, unknown>();
	for (;;) {
		const picked = await vscode.window.showQuickPick(createItems(source, values, changes), {
			title: vscode.l10n.t("Fork from '{0}'", source.node.title),
			placeHolder: vscode.l10n.t('Run the fork, or select a value to change first'),
			matchOnDescription: true,
			ignoreFocusOut: true,
		});
		if (!picked) {
			return undefined;
		}
		if (picked.choice) {
			return { ...(changes.size > 0 && { variables: groupByNode(changes) }), ...(picked.choice === 'ask' && { replies: false }) };
		}
		const { value } = picked;
		const changed = value && (await askForChangedValue({ ...value, title: value.node.title, shown: changes.get(value) ?? value.recorded }));
		if (value && changed) {
			changes.set(value, changed.value);
		}
	}
}

function createItems(
	{ node, keptReplies }: ForkSource,
	values: readonly ForkValue[],
	changes: ReadonlyMap<ForkValue, unknown>,
): readonly ForkItem[] {
	const isKept = keptReplies !== undefined && keptReplies > 0;
	const run: ForkItem = {
		label: vscode.l10n.t('Run fork'),
		iconPath: new vscode.ThemeIcon('play'),
		detail: isKept
			? vscode.l10n.t('Requests that are the same as in the run get the same replies, at no cost.')
			: vscode.l10n.t("The replies of the run aren't kept. The nodes from here on ask again, at their usual cost."),
		choice: 'run',
	};
	const ask: ForkItem = {
		label: vscode.l10n.t('Run fork without recorded replies'),
		iconPath: new vscode.ThemeIcon('sync'),
		detail: vscode.l10n.t('The nodes from here on ask again, at their usual cost.'),
		choice: 'ask',
	};
	const toItem = (value: ForkValue): ForkItem => ({
		label: escapeIcons(value.name),
		iconPath: new vscode.ThemeIcon(changes.has(value) ? 'edit' : 'symbol-variable'),
		description: escapeIcons(
			changes.has(value)
				? vscode.l10n.t({ message: '{0} · changed', args: [value.node.title], comment: ['{0} is the title of a node'] })
				: value.node.title,
		),
		detail: escapeIcons(toOneLine(formatForInput(changes.has(value) ? changes.get(value) : value.recorded), 120)),
		value,
	});
	const listSection = (isUsed: boolean, label: string): readonly ForkItem[] => {
		const items = values.filter(value => value.isUsed === isUsed).map(toItem);
		return items.length > 0 ? [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items] : [];
	};
	return [
		run,
		...(isKept ? [ask] : []),
		...listSection(true, vscode.l10n.t("Values that '{0}' uses", node.title)),
		...listSection(false, vscode.l10n.t('Other values')),
	];
}

/** Returns the recorded outputs of the nodes before a node. Assigners and answers always run again, so they have none that can be changed. */
function listForkValues({ text, graph, node, known }: ForkSource): readonly ForkValue[] {
	const path = [...graphPath, 'nodes', node.at, 'data'];
	const data = findNodeAt(new AgentReading(text).root, path);
	const used = new Set((data ? findReferences(data, path, text) : []).map(({ selector: [owner, name] }) => `${owner}.${name}`));
	return listScopesBefore(graph, node, () => true).flatMap(scope => {
		const { node: owner } = scope;
		const outputs = owner && owner.type !== 'assigner' && owner.type !== 'answer' ? getOwnField(known, owner.id) : undefined;
		return owner && outputs
			? Object.entries(outputs)
					.filter(([name]) => !name.startsWith('sys.'))
					.map(([name, recorded]) => ({
						node: owner,
						name,
						recorded,
						type: scope.variables.find(each => each.name === name)?.type ?? '',
						isUsed: used.has(`${owner.id}.${name}`),
					}))
			: [];
	});
}

function groupByNode(changes: ReadonlyMap<ForkValue, unknown>): NonNullable<PartialRun['variables']> {
	const byNode = Map.groupBy(changes, ([{ node }]) => node.id);
	return Object.fromEntries(
		[...byNode].map(([id, entries]) => [id, Object.fromEntries(entries.map(([{ name }, value]) => [name, value]))]),
	);
}
