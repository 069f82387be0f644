/**
 * The commands of the extension, by the feature that carries them out. A test holds package.json, with its menus and texts, against this
 * table, and the compiler whoever registers, executes or offers one.
 */

/** The IDs of these commands, which all begin alike: written out, that would be a part of what is read at activation. */
function own<const Names extends readonly string[]>(...names: Names): { [At in keyof Names]: `agentWorkbench.${Names[At]}` } {
	return names.map(name => `agentWorkbench.${name}`) as { [At in keyof Names]: `agentWorkbench.${Names[At]}` };
}

/** Suites of tests: `SuiteTesting`. */
export const suiteCommands = /* @__PURE__ */ own(
	'suite.run',
	'suite.debug',
	'suite.results',
	'suite.goToRun',
	'suite.newFromRun',
	'suite.addRun',
);

/** Run files, runs and their pages: `RunsCore`. */
export const runCommands = /* @__PURE__ */ own(
	'workflow.runFile',
	'workflow.runFileBlocking',
	'runFile.create',
	'runFile.chooseConnection',
	'runFile.copyAsCurl',
	'run.stop',
	'run.answer',
	'run.inspect',
	'run.keepOpen',
	'run.open',
	'run.openOutputs',
	'run.openAudio',
	'run.saveAsRunFile',
	'run.saveOutputs',
	'run.copyAsCurl',
	'run.compare',
	'run.runAgain',
	'run.copyId',
	'run.remove',
	'run.clearHistory',
	'run.showOutput',
	'logs.open',
	'requestLog.open',
	'usage.open',
	'modelCache.clear',
);

/** Agent files, their nodes and graphs: `AgentsCore`. */
export const agentCommands = /* @__PURE__ */ own(
	'agentFile.runDraft',
	'agentFile.publish',
	'agentFile.showChanges',
	'agentFile.setSecrets',
	'agent.runForm',
	'graph.open',
	'knowledge.reindex',
	'node.run',
	'node.runFrom',
	'node.pin',
	'node.unpin',
	'node.toggleBreakpoint',
);

/** `AgentDebugging`. */
export const debuggerCommands = /* @__PURE__ */ own('debug.start');

/** Nodes of the tree and its documents: `TreeCommands`. */
export const explorerCommands = /* @__PURE__ */ own(
	'tree.refresh',
	'tree.loadMore',
	'tree.backToTop',
	'tree.run',
	'tree.rename',
	'tree.delete',
	'file.reveal',
	'file.rename',
	'file.delete',
	'agent.openFile',
	'input.create',
	'agent.create',
	'agent.runDraft',
	'agent.publish',
	'agent.unpublish',
	'input.run',
	'runs.filter',
	'runs.clearFilter',
	'logs.filter',
	'logs.clearFilter',
	'log.open',
	'log.copyRunId',
	'conversations.sort',
	'apps.filter',
	'apps.clearFilter',
	'conversation.open',
	'walkthrough.open',
	'samples.open',
	'document.open',
);
export type ExplorerCommand = (typeof explorerCommands)[number];

/** `ConnectionCommands`. */
const connectionCommands = /* @__PURE__ */ own(
	'connection.add',
	'connection.edit',
	'connection.remove',
	'connection.test',
	'connection.selectDefault',
	'connection.setKey',
	'connection.removeKey',
	'connection.importKey',
	'connection.addAgents',
	'connection.useIn',
	'connection.copyEndpoint',
	'mcp.copyConfiguration',
	'agent.removeName',
);

/** `GatewayCommands`. */
const gatewayCommands = /* @__PURE__ */ own('gateway.restart', 'gateway.setAsideStore', 'gateway.setUpstreamKey');

/** `ConversationCommands`. */
const conversationCommands = /* @__PURE__ */ own(
	'conversation.rename',
	'conversation.autoName',
	'conversation.delete',
	'conversation.copyId',
);

/** `registerChat`. */
const chatCommands = /* @__PURE__ */ own(
	'chat.new',
	'chat.list',
	'chat.openInEditor',
	'chat.tools',
	'chat.annotations',
	'chat.variables',
	'chat.rename',
	'chat.delete',
	'chat.export',
	'chat.import',
	'chat.askAboutSelection',
	'chat.addFile',
	'chat.askAboutRun',
	'chat.openConversation',
	'chat.withAgent',
	'chat.acceptCode',
	'chat.discardCode',
);

/** `registerAssistant`. */
const assistantCommands = /* @__PURE__ */ own('assistant.chooseModels');

/** Deployments of Dify and their apps: `DifyCore`. */
export const difyCommands = /* @__PURE__ */ own(
	'dify.signIn',
	'dify.signOut',
	'dify.switchWorkspace',
	'difyApp.pull',
	'difyApp.pullAll',
	'difyApp.push',
	'difyApp.pushAsNew',
	'difyApp.publish',
	'difyApp.versions',
	'difyApp.compare',
	'difyApp.restoreBackup',
	'difyApp.open',
	'difyApp.createKey',
	'difyApp.deleteKey',
	'difyApp.enableServiceApi',
	'difyApp.runDraft',
	'difyApp.runNode',
	'difyApp.showRuns',
);
export type DifyCommand = (typeof difyCommands)[number];

/** All of them. */
export const commandIds = [
	...runCommands,
	...agentCommands,
	...debuggerCommands,
	...suiteCommands,
	...explorerCommands,
	...connectionCommands,
	...gatewayCommands,
	...conversationCommands,
	...chatCommands,
	...assistantCommands,
	...difyCommands,
] as const;
export type CommandId = (typeof commandIds)[number];

/** Commands that the editor makes of our views. */
type ViewCommand = 'agentWorkbench.agents.focus' | 'agentWorkbench.chat.focus';

/** What can be offered as an action: a command of ours or of the editor. */
export type OfferedCommand = CommandId | ViewCommand | `workbench.${string}` | `vscode.${string}`;

/** What carries out some of the commands. `selected`: all nodes that are selected in the tree. */
export type CommandHandlers = Partial<Record<CommandId, (argument?: unknown, selected?: unknown) => unknown>>;
