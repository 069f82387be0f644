import path from 'node:path';
import type { FeatureParts } from '../platform/feature.ts';
import { ConnectionCommands } from './commands/connectionCommands.ts';
import { ConnectionRegistry } from './connectionRegistry.ts';
import { ConnectionSettings } from './connectionSettings.ts';
import type { Connections } from './connectionTypes.ts';
import { DefaultStatus } from './defaultStatus.ts';
import { AgentFolders } from './gateway/agentFolders.ts';
import { BuiltInGateway } from './gateway/builtInGateway.ts';
import { GatewayCommands } from './gateway/gatewayCommands.ts';
import { GatewaySettings } from './gateway/gatewaySettings.ts';
import { McpRegistration } from './gateway/mcpRegistration.ts';
import { UpstreamKeys } from './gateway/upstreamKeys.ts';
import { KeyStore } from './keys/keyStore.ts';
import { ServiceClients } from './serviceClients.ts';

interface ConnectionsParts extends FeatureParts {
	/** Returns the names of the agents in run files. */
	readonly runFileAgents: () => Promise<string[]>;
}

interface ConnectionsFeature {
	readonly connections: Connections;
	readonly settings: ConnectionSettings;
	readonly keys: KeyStore;
	/** Returns the absolute paths of the agents folders. Returns none in an untrusted workspace. */
	readonly agentFolders: () => readonly string[];
}

/** Registers the built-in gateway, which starts on first use, and all connections. */
export function registerConnections({ context, dataFolder, runFileAgents, commands, log, own }: ConnectionsParts): ConnectionsFeature {
	const { secrets, extensionPath, workspaceState } = context;
	const folders = own(new AgentFolders());
	const program = path.join(extensionPath, 'dist', 'gateway.js');
	const gatewaySettings = own(new GatewaySettings());
	const upstreamKeys = new UpstreamKeys(secrets, log);
	const gateway = own(new BuiltInGateway({ program, dataFolder, folders, upstreamKeys, log }));
	own(new McpRegistration({ gateway, folders }));
	own(new GatewayCommands({ gateway, settings: gatewaySettings, keys: upstreamKeys, commands, log }));
	const settings = own(new ConnectionSettings(log));
	const keys = own(new KeyStore(secrets, log));
	const clients = own(new ServiceClients(log));
	const registry: ConnectionRegistry = own(
		new ConnectionRegistry({ gateway, settings, keys, clients, memory: workspaceState, askForKeys: entry => actions.askForKeys(entry) }),
	);
	const actions: ConnectionCommands = own(
		new ConnectionCommands({ settings, registry, keys, clients, runFileAgents, builtIn: () => gateway.getEndpoint() }, commands),
	);
	own(new DefaultStatus(registry));
	return { connections: registry, settings, keys, agentFolders: () => folders.listFolders() };
}
