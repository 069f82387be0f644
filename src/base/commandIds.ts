/**
 * The commands of the extension, by the feature that implements them. A test checks package.json against this table, and the compiler
 * checks all code that registers, executes or offers commands.
 */

/** Adds the common prefix of the command IDs. Writing the IDs out would enlarge the code that is loaded at activation. */
function prefixCommandIds<const Names extends readonly string[]>(...names: Names): { [At in keyof Names]: `agentWorkbench.${Names[At]}` } {
	return names.map(name => `agentWorkbench.${name}`) as { [At in keyof Names]: `agentWorkbench.${Names[At]}` };
}

/** Commands for test suites, implemented by `SuiteTesting`. */
export const suiteCommands = /* @__PURE__ */ prefixCommandIds(
	'suite.run',
	'suite.debug',
	'suite.record',
	'suite.replay',
	'suite.showRecording',
	'suite.checkDrift',
	'suite.results',
	'suite.showTrend',
	'suite.compareVariants',
	'suite.review',
	'suite.goToRun',
	'suite.newFromRun',
	'suite.addRun',
	'suite.import',
	'dataset.create',
	'dataset.addRun',
);

/** Commands for run files, runs and their pages, implemented by `RunsCore`. */
export const runCommands = /* @__PURE__ */ prefixCommandIds(
	'workflow.runFile',
	'workflow.runFileBlocking',
	'runFile.create',
	'runFile.chooseConnection',
	'runFile.copyAsCurl',
	'runFile.record',
	'runFile.replay',
	'runFile.showRecording',
	'runFile.checkDrift',
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

/** Commands for agent files, their nodes and graphs, implemented by `AgentsCore`. */
export const agentCommands = /* @__PURE__ */ prefixCommandIds(
	'agentFile.runDraft',
	'agentFile.publish',
	'agentFile.showChanges',
	'agentFile.setSecrets',
	'agent.runForm',
	'graph.open',
	'knowledge.reindex',
	'node.run',
	'node.forkFrom',
	'node.pin',
	'node.unpin',
	'node.toggleBreakpoint',
);

/** Implemented by `AgentDebugging`. */
export const debuggerCommands = /* @__PURE__ */ prefixCommandIds(
	'debug.start',
	'debug.recordedRun',
	'debug.returnToPresent',
	'debug.answerByHand',
	'debug.copyPrompt',
	'debug.sendReply',
);

/** Commands for tree nodes and their documents, implemented by `TreeCommands`. */
export const explorerCommands = /* @__PURE__ */ prefixCommandIds(
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

/** Implemented by `ConnectionCommands`. */
const connectionCommands = /* @__PURE__ */ prefixCommandIds(
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

/** Implemented by `GatewayCommands`. */
const gatewayCommands = /* @__PURE__ */ prefixCommandIds('gateway.restart', 'gateway.setAsideStore', 'gateway.setUpstreamKey');

/** Implemented by `ConversationCommands`. */
const conversationCommands = /* @__PURE__ */ prefixCommandIds(
	'conversation.rename',
	'conversation.autoName',
	'conversation.delete',
	'conversation.copyId',
);

/** Implemented by `registerChat`. */
const chatCommands = /* @__PURE__ */ prefixCommandIds(
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
	'chat.acceptHunk',
	'chat.discardHunk',
	'chat.showCodeDiff',
);

/** Implemented by `PromptCore`. */
export const promptCommands = /* @__PURE__ */ prefixCommandIds('prompt.open');

/** Implemented by `registerAssistant`. */
const assistantCommands = /* @__PURE__ */ prefixCommandIds('assistant.chooseModels');

/** Commands for Dify servers and their apps, implemented by `DifyCore`. */
export const difyCommands = /* @__PURE__ */ prefixCommandIds(
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

/** Implemented by `createSupport`. */
export const supportCommands = /* @__PURE__ */ prefixCommandIds('issue.report', 'data.deleteAll');

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
	...promptCommands,
	...assistantCommands,
	...difyCommands,
	...supportCommands,
] as const;
export type CommandId = (typeof commandIds)[number];

/** Commands that VS Code creates for our views. */
type ViewCommand = 'agentWorkbench.agents.focus' | 'agentWorkbench.chat.focus';

/** A command that can be offered as an action: ours or VS Code's. */
export type OfferedCommand = CommandId | ViewCommand | `workbench.${string}` | `vscode.${string}`;

/** Command handlers by command ID. `selected` contains all selected nodes of the tree. */
export type CommandHandlers = Partial<Record<CommandId, (argument?: unknown, selected?: unknown) => unknown>>;
