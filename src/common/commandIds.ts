/**
 * The commands of the extension, by the feature that carries them out. A test holds package.json, with its menus and texts, against this table, and the
 * compiler whoever registers, executes or offers one.
 */

/** Suites of tests: `SuiteTesting`. */
export const suiteCommands = [
	'agentWorkbench.suite.run',
	'agentWorkbench.suite.debug',
	'agentWorkbench.suite.results',
	'agentWorkbench.suite.goToRun',
	'agentWorkbench.suite.newFromRun',
	'agentWorkbench.suite.addRun',
] as const;

/** Run files, agent files, runs and suites: `WorkflowsCore`. */
export const workflowCommands = [
	'agentWorkbench.workflow.runFile',
	'agentWorkbench.workflow.runFileBlocking',
	'agentWorkbench.runFile.create',
	'agentWorkbench.runFile.chooseConnection',
	'agentWorkbench.runFile.copyAsCurl',
	'agentWorkbench.agentFile.runDraft',
	'agentWorkbench.agentFile.publish',
	'agentWorkbench.agentFile.showChanges',
	'agentWorkbench.agentFile.setSecrets',
	'agentWorkbench.agent.runForm',
	'agentWorkbench.graph.open',
	'agentWorkbench.knowledge.reindex',
	'agentWorkbench.debug.start',
	'agentWorkbench.node.run',
	'agentWorkbench.node.runFrom',
	'agentWorkbench.node.pin',
	'agentWorkbench.node.unpin',
	'agentWorkbench.node.toggleBreakpoint',
	'agentWorkbench.run.stop',
	'agentWorkbench.run.answer',
	'agentWorkbench.run.inspect',
	'agentWorkbench.run.keepOpen',
	'agentWorkbench.run.open',
	'agentWorkbench.run.openOutputs',
	'agentWorkbench.run.openAudio',
	'agentWorkbench.run.saveAsRunFile',
	'agentWorkbench.run.saveOutputs',
	'agentWorkbench.run.copyAsCurl',
	'agentWorkbench.run.compare',
	'agentWorkbench.run.runAgain',
	'agentWorkbench.run.copyId',
	'agentWorkbench.run.remove',
	'agentWorkbench.run.clearHistory',
	'agentWorkbench.run.showOutput',
	'agentWorkbench.logs.open',
	...suiteCommands,
] as const;
export type WorkflowCommand = (typeof workflowCommands)[number];

/** Nodes of the tree and its documents: `TreeCommands`. */
export const explorerCommands = [
	'agentWorkbench.tree.refresh',
	'agentWorkbench.tree.loadMore',
	'agentWorkbench.tree.backToTop',
	'agentWorkbench.tree.run',
	'agentWorkbench.tree.rename',
	'agentWorkbench.tree.delete',
	'agentWorkbench.file.reveal',
	'agentWorkbench.file.rename',
	'agentWorkbench.file.delete',
	'agentWorkbench.agent.openFile',
	'agentWorkbench.input.create',
	'agentWorkbench.agent.create',
	'agentWorkbench.agent.runDraft',
	'agentWorkbench.agent.publish',
	'agentWorkbench.agent.unpublish',
	'agentWorkbench.input.run',
	'agentWorkbench.runs.filter',
	'agentWorkbench.runs.clearFilter',
	'agentWorkbench.logs.filter',
	'agentWorkbench.logs.clearFilter',
	'agentWorkbench.log.open',
	'agentWorkbench.log.copyRunId',
	'agentWorkbench.conversations.sort',
	'agentWorkbench.conversation.open',
	'agentWorkbench.walkthrough.open',
	'agentWorkbench.samples.open',
	'agentWorkbench.document.open',
] as const;
export type ExplorerCommand = (typeof explorerCommands)[number];

/** `ConnectionCommands`. */
export const connectionCommands = [
	'agentWorkbench.connection.add',
	'agentWorkbench.connection.edit',
	'agentWorkbench.connection.remove',
	'agentWorkbench.connection.test',
	'agentWorkbench.connection.selectDefault',
	'agentWorkbench.connection.setKey',
	'agentWorkbench.connection.removeKey',
	'agentWorkbench.connection.importKey',
	'agentWorkbench.connection.addAgents',
	'agentWorkbench.connection.useIn',
	'agentWorkbench.connection.copyEndpoint',
	'agentWorkbench.agent.removeName',
] as const;

/** `GatewayCommands`. */
export const gatewayCommands = [
	'agentWorkbench.gateway.restart',
	'agentWorkbench.gateway.setAsideStore',
	'agentWorkbench.gateway.setUpstreamKey',
] as const;

/** `ConversationCommands`. */
export const conversationCommands = [
	'agentWorkbench.conversation.rename',
	'agentWorkbench.conversation.autoName',
	'agentWorkbench.conversation.delete',
	'agentWorkbench.conversation.copyId',
] as const;

/** `ChatFeature`. */
export const chatCommands = [
	'agentWorkbench.chat.new',
	'agentWorkbench.chat.list',
	'agentWorkbench.chat.openInEditor',
	'agentWorkbench.chat.rename',
	'agentWorkbench.chat.delete',
	'agentWorkbench.chat.export',
	'agentWorkbench.chat.import',
	'agentWorkbench.chat.askAboutSelection',
	'agentWorkbench.chat.addFile',
	'agentWorkbench.chat.askAboutRun',
	'agentWorkbench.chat.openConversation',
	'agentWorkbench.chat.withAgent',
] as const;

/** All of them. */
export const commandIds = [
	...workflowCommands,
	...explorerCommands,
	...connectionCommands,
	...gatewayCommands,
	...conversationCommands,
	...chatCommands,
] as const;
export type CommandId = (typeof commandIds)[number];

/** Commands that the editor makes of our views. */
export type ViewCommand = 'agentWorkbench.agents.focus' | 'agentWorkbench.chat.focus';

/** What can be offered as an action: a command of ours or of the editor. */
export type OfferedCommand = CommandId | ViewCommand | `workbench.${string}` | `vscode.${string}`;

/** What carries out some of the commands on run files, agent files and runs. `selected`: all nodes that are selected in the tree. */
export type CommandHandlers = Partial<Record<WorkflowCommand, (argument?: unknown, selected?: unknown) => unknown>>;
