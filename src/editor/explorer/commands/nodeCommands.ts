import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import type { TreeNode } from '../nodes/treeNode.ts';

type View = Pick<vscode.TreeView<TreeNode>, 'selection'>;

/** The nodes that a command of a menu means: all that are selected, where the one that it was called on is among them; else that one. */
export function getTargetNodes(node: TreeNode | undefined, selected: readonly TreeNode[] | undefined): readonly TreeNode[] {
	return node && !selected?.includes(node) ? [node] : (selected ?? []);
}

/** Runs the run files among nodes, all at once. */
export async function runSelectedRunFiles(nodes: readonly TreeNode[]): Promise<void> {
	const uris = nodes.filter(node => getContextValue(node) === 'runFile').flatMap(node => ('uri' in node ? [node.uri] : []));
	await Promise.all(uris.map(uri => execute('agentWorkbench.workflow.runFile', uri)));
}

/** Runs what has the keyboard: run files, the draft of an agent file, a run once more. */
export async function runNodes(view: View): Promise<void> {
	const nodes = await getSelectedOrFocusedNodes(view);
	const [first] = nodes;
	const context = first && getContextValue(first);
	if (context === 'runFile') {
		await runSelectedRunFiles(nodes);
	} else if (context?.startsWith('agent.file')) {
		await execute('agentWorkbench.agent.runDraft', first);
	} else if (context && /^(run\.finished$|log)/.test(context)) {
		await execute('agentWorkbench.run.runAgain', first);
	}
}

/** Renames what has the keyboard, where it has a name that can be changed. */
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
		await execute(command, node);
	}
}

/** Deletes what has the keyboard, each kind as its menu does: what is meant is asked first. */
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
		await execute(command, first, nodes);
	}
}

/**
 * The selection where the row with the focus belongs to it, else that row. The editor tells an extension what is selected alone, and the arrow keys
 * move the focus alone: to add the row to the selection and take it out again says which one it is.
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
	return node.createItem().contextValue ?? '';
}

async function execute(command: CommandId, ...args: unknown[]): Promise<void> {
	await vscode.commands.executeCommand(command, ...args);
}
