import * as vscode from 'vscode';
import { Disposables } from '#base/disposables.ts';
import { WindowPresence } from '#base/files/windowPresence.ts';
import { type AgentsFeature, registerAgents } from '#editor/agents/register.ts';
import { registerAssistant } from '#editor/assistant/register.ts';
import { registerChat } from '#editor/chat/register.ts';
import { registerConnections } from '#editor/connections/register.ts';
import { registerDebugger } from '#editor/debugger/register.ts';
import type { DifyFeature } from '#editor/dify/difyTypes.ts';
import { registerDify } from '#editor/dify/register.ts';
import { registerExplorer } from '#editor/explorer/register.ts';
import { CommandRegistrar } from '#editor/platform/commands.ts';
import type { FeatureParts } from '#editor/platform/feature.ts';
import { registerPrompts } from '#editor/prompts/register.ts';
import { RunFileIndex } from '#editor/runs/files/runFileIndex.ts';
import { registerRuns } from '#editor/runs/register.ts';
import { registerSuites } from '#editor/suites/register.ts';
import { registerSupport } from '#editor/support/register.ts';

/** Registers all features synchronously, without opening a socket, so that no view is ever without its provider. */
export function activate(context: vscode.ExtensionContext): void {
	const shared = createFeatureParts(context);
	const runFiles = shared.own(new RunFileIndex());
	const { connections, settings, keys, agentFolders } = registerConnections({ ...shared, runFileAgents: () => runFiles.getAgentNames() });
	const runs = registerRuns({
		...shared,
		connections,
		agentFolders,
		agents: () => agents.load(),
		drafts: async () => (await dify.load()).drafts,
	});
	const agents: AgentsFeature = registerAgents({ ...shared, connections, agentFolders, runFiles, runs });
	const dify: DifyFeature = registerDify({ ...shared, connections, settings, keys, agentFolders, runs });
	registerExplorer({ ...shared, connections, agentFolders, runs, runFiles, dify });
	registerSuites({ ...shared, connections, runs });
	registerDebugger({ ...shared, connections, runs, agents });
	const { runAgent } = registerAssistant({ ...shared, connections, runs, agents });
	registerChat({ ...shared, connections, runs, runAgent });
	registerPrompts({ ...shared, connections, runs, agents });
	registerSupport(shared);
}

function createFeatureParts(context: vscode.ExtensionContext): FeatureParts {
	const disposables = new Disposables();
	context.subscriptions.push(disposables);
	const log = disposables.register(vscode.window.createOutputChannel('Agent Workbench', { log: true }));
	// per workspace, so that windows of different workspaces don't share runs; an empty window uses the global folder
	const dataFolder = (context.storageUri ?? context.globalStorageUri).fsPath;
	const windows = disposables.register(new WindowPresence(dataFolder));
	return { context, dataFolder, windows, commands: new CommandRegistrar(log), log, own: disposable => disposables.register(disposable) };
}
