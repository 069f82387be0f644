import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import type { TreeNode } from '../nodes/treeNode.ts';

type View = Pick<vscode.TreeView<TreeNode>, 'selection'>;

/** Returns the nodes that a menu command applies to: all selected nodes if `node` is one of them, otherwise only `node`. */
export function getTargetNodes(node: TreeNode | undefined, selected: readonly TreeNode[] | undefined): readonly TreeNode[] {
	return node && !selected?.includes(node) ? [node] : (selected ?? []);
}

/** Runs all run files among the nodes concurrently. */
export async function runSelectedRunFiles(nodes: readonly TreeNode[]): Promise<void> {
	const uris = nodes.filter(node => getContextValue(node) === 'runFile').flatMap(node => ('uri' in node ? [node.uri] : []));
	await Promise.all(uris.map(uri => executeNodeCommand('agentWorkbench.workflow.runFile', uri)));
}

/** Runs the selected or focused nodes. Runs a run file, runs the draft of an agent file, or repeats a run. */
export async function runNodes(view: View): Promise<void> {
	const nodes = await getSelectedOrFocusedNodes(view);
	const [first] = nodes;
	const context = first && getContextValue(first);
	if (context === 'runFile') {
		await runSelectedRunFiles(nodes);
	} else if (context?.startsWith('agent.file')) {
		await executeNodeCommand('agentWorkbench.agent.runDraft', first);
	} else if (context && /^(run\.finished$|log)/.test(context)) {
		await executeNodeCommand('agentWorkbench.run.runAgain', first);
	}
}

/** Renames the selected or focused node if its name can be changed. */
export async function renameNode(view: View): Promise<void> {
	const [node] = await getSelectedOrFocusedNodes(view);
	const command =
		node &&
		findCommand(node, [
			[/^(runFile$|agent\.file)/, 'agentWorkbench.file.rename'],
			[/^conversation$/, 'agentWorkbench.conversation.rename'],
			[/^connection\.service/, 'agentWorkbench.connection.edit'],
		]);
	if (command) {
		await executeNodeCommand(command, node);
	}
}

/** Deletes the selected or focused nodes with their menu command, which asks for confirmation. */
export async function deleteNodes(view: View): Promise<void> {
	const nodes = await getSelectedOrFocusedNodes(view);
	const [first] = nodes;
	const command =
		first &&
		findCommand(first, [
			[/^(runFile$|agent\.file)/, 'agentWorkbench.file.delete'],
			[/^agent\.named/, 'agentWorkbench.agent.removeName'],
			[/^run\.finished$/, 'agentWorkbench.run.remove'],
			[/^conversation$/, 'agentWorkbench.conversation.delete'],
			[/^connection\.service/, 'agentWorkbench.connection.remove'],
		]);
	if (command) {
		await executeNodeCommand(command, first, nodes);
	}
}

/**
 * Returns the selection if the focused row is part of it, otherwise the focused row. An extension can read the selection but not the focus,
 * and the arrow keys move only the focus. Toggling the selection of the focused row twice reveals which row it is.
 */
async function getSelectedOrFocusedNodes(view: View): Promise<readonly TreeNode[]> {
	const before = view.selection;
	await vscode.commands.executeCommand('list.toggleSelection');
	const added = view.selection.filter(node => !before.includes(node));
	await vscode.commands.executeCommand('list.toggleSelection');
	return added.length > 0 ? added : before;
}

function findCommand(node: TreeNode, table: readonly (readonly [RegExp, CommandId])[]): CommandId | undefined {
	const context = getContextValue(node);
	return table.find(([pattern]) => pattern.test(context))?.[1];
}

function getContextValue(node: TreeNode): string {
	return node.createTreeItem().contextValue ?? '';
}

async function executeNodeCommand(command: CommandId, ...args: unknown[]): Promise<void> {
	await vscode.commands.executeCommand(command, ...args);
}
