/** Commands of the tree's nodes and documents: what package.json declares of the explorer and {@link TreeCommands} carries out. */
export const explorerCommands = [
	'agentWorkbench.tree.refresh',
	'agentWorkbench.tree.loadMore',
	'agentWorkbench.tree.backToTop',
	'agentWorkbench.agent.openFile',
	'agentWorkbench.input.create',
	'agentWorkbench.agent.create',
	'agentWorkbench.agent.runDraft',
	'agentWorkbench.agent.publish',
	'agentWorkbench.agent.unpublish',
	'agentWorkbench.input.run',
	'agentWorkbench.logs.filter',
	'agentWorkbench.logs.clearFilter',
	'agentWorkbench.log.open',
	'agentWorkbench.log.copyRunId',
	'agentWorkbench.conversations.sort',
	'agentWorkbench.conversation.open',
	'agentWorkbench.walkthrough.open',
	'agentWorkbench.document.open',
] as const;
export type ExplorerCommand = (typeof explorerCommands)[number];
