import path from 'node:path';
import * as vscode from 'vscode';
import { Assistant } from './assistant/assistant.ts';
import { ChatFeature } from './chat/chatFeature.ts';
import { CommandRegistrar } from './common/commands.ts';
import { WindowPresence } from './common/windows/windowPresence.ts';
import { ConnectionCommands } from './connections/commands/connectionCommands.ts';
import { ConnectionRegistry } from './connections/connectionRegistry.ts';
import { ConnectionSettings } from './connections/connectionSettings.ts';
import type { PrepareAgent } from './connections/connectionTypes.ts';
import { DefaultStatus } from './connections/defaultStatus.ts';
import { AgentFolders } from './connections/gateway/agentFolders.ts';
import { BuiltInGateway } from './connections/gateway/builtInGateway.ts';
import { GatewayCommands } from './connections/gateway/gatewayCommands.ts';
import { GatewayKey } from './connections/gateway/gatewayKey.ts';
import { GatewaySettings } from './connections/gateway/gatewaySettings.ts';
import { McpRegistration } from './connections/gateway/mcpRegistration.ts';
import { UpstreamKeys } from './connections/gateway/upstreamKeys.ts';
import { KeyStore } from './connections/keys/keyStore.ts';
import { ServiceClients } from './connections/serviceClients.ts';
import { ConversationCommands } from './conversations/conversationCommands.ts';
import { DifyFeature } from './dify/dify.ts';
import { Explorer } from './explorer/explorer.ts';
import { RunFileIndex } from './runFiles/runFileIndex.ts';
import { Workflows } from './workflows/workflows.ts';

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
