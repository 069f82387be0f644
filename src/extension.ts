import path from 'node:path';
import * as vscode from 'vscode';
import { WindowPresence } from '#base/files/windowPresence.ts';
import { GatewayKey } from '#client/localGateway/gatewayKey.ts';
import { Assistant } from '#editor/assistant/assistant.ts';
import { ChatFeature } from '#editor/chat/chatFeature.ts';
import { ConnectionCommands } from '#editor/connections/commands/connectionCommands.ts';
import { ConnectionRegistry } from '#editor/connections/connectionRegistry.ts';
import { ConnectionSettings } from '#editor/connections/connectionSettings.ts';
import type { PrepareAgent } from '#editor/connections/connectionTypes.ts';
import { DefaultStatus } from '#editor/connections/defaultStatus.ts';
import { AgentFolders } from '#editor/connections/gateway/agentFolders.ts';
import { BuiltInGateway } from '#editor/connections/gateway/builtInGateway.ts';
import { GatewayCommands } from '#editor/connections/gateway/gatewayCommands.ts';
import { GatewaySettings } from '#editor/connections/gateway/gatewaySettings.ts';
import { McpRegistration } from '#editor/connections/gateway/mcpRegistration.ts';
import { UpstreamKeys } from '#editor/connections/gateway/upstreamKeys.ts';
import { KeyStore } from '#editor/connections/keys/keyStore.ts';
import { ServiceClients } from '#editor/connections/serviceClients.ts';
import { DifyFeature } from '#editor/dify/dify.ts';
import { ConversationCommands } from '#editor/explorer/conversations/conversationCommands.ts';
import { Explorer } from '#editor/explorer/explorer.ts';
import { CommandRegistrar } from '#editor/platform/commands.ts';
import { RunFileIndex } from '#editor/runs/files/runFileIndex.ts';
import { Workflows } from '#editor/workflows/workflows.ts';

/** Registers everything at once: awaits nothing and opens no socket, so that no view is ever without its provider. */
export function activate(context: vscode.ExtensionContext): void {
	const own = <T extends vscode.Disposable>(disposable: T): T => {
		context.subscriptions.push(disposable);
		return disposable;
	};
	const log = own(vscode.window.createOutputChannel('Agent Workbench', { log: true }));
	const commands = new CommandRegistrar(log);
	// per workspace, so that windows on different work do not share runs; an empty window has the global folder
	const dataFolder = (context.storageUri ?? context.globalStorageUri).fsPath;
	const windows = own(new WindowPresence(dataFolder));
	const runFiles = own(new RunFileIndex());
	const folders = own(new AgentFolders());
	const { connections, settings, keys } = activateConnections(context, own, { log, commands, dataFolder, runFiles, folders });
	const agentFolders = () => folders.list();
	const deploymentDrafts = async () => (await dify.load()).drafts;
	const workflows = own(
		new Workflows({ context, dataFolder, windows, connections, agentFolders, runFiles, deploymentDrafts, commands, log }),
	);
	const { runs } = workflows;
	const dify: DifyFeature = own(
		new DifyFeature({ context, dataFolder, windows, connections, settings, keys, agentFolders, workflows, commands, log }),
	);
	const prepare: PrepareAgent = (connection, agent) => workflows.prepare(connection, agent);
	const conversations = own(new ConversationCommands(connections, commands));
	own(
		new Explorer({
			extensionPath: context.extensionPath,
			connections,
			runs,
			findRuns: workflows.find,
			runFiles,
			dify,
			onDidChangeConversation: conversations.onDidChange,
			commands,
			log,
		}),
	);
	const assistant = own(new Assistant({ connections, prepare, runs, work: () => workflows.agentWork(), commands, log }));
	own(
		new ChatFeature({
			context,
			dataFolder,
			windows,
			connections,
			runs,
			runStory: key => workflows.story(key),
			prepare,
			runAgent: assistant.runAgent,
			commands,
			log,
		}),
	);
}

interface Shared {
	readonly log: vscode.LogOutputChannel;
	readonly commands: CommandRegistrar;
	readonly dataFolder: string;
	readonly runFiles: RunFileIndex;
	readonly folders: AgentFolders;
}

function activateConnections(
	{ secrets, extensionPath, workspaceState }: vscode.ExtensionContext,
	own: <T extends vscode.Disposable>(disposable: T) => T,
	{ log, commands, dataFolder, runFiles, folders }: Shared,
): { readonly connections: ConnectionRegistry; readonly settings: ConnectionSettings; readonly keys: KeyStore } {
	const program = path.join(extensionPath, 'dist', 'gateway.js');
	const gatewaySettings = own(new GatewaySettings());
	const upstreamKeys = new UpstreamKeys(secrets, log);
	const key = new GatewayKey(dataFolder);
	const gateway = own(new BuiltInGateway({ program, dataFolder, key, folders, upstreamKeys, log }));
	own(new McpRegistration({ gateway, folders }));
	own(new GatewayCommands({ gateway, settings: gatewaySettings, keys: upstreamKeys, commands, log }));
	const settings = own(new ConnectionSettings(log));
	const keys = own(new KeyStore(secrets, log));
	const clients = own(new ServiceClients(log));
	const registry: ConnectionRegistry = own(
		new ConnectionRegistry({ gateway, settings, keys, clients, memory: workspaceState, askForKeys: entry => actions.askForKeys(entry) }),
	);
	const actions: ConnectionCommands = own(
		new ConnectionCommands(
			{ settings, registry, keys, clients, runFileAgents: () => runFiles.agents(), builtIn: () => gateway.endpoint() },
			commands,
		),
	);
	own(new DefaultStatus(registry));
	return { connections: registry, settings, keys };
}
