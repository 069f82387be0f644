import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { ConnectionActions } from '#editor/connections/commands/connectionActions.ts';
import type { ConnectionEntry } from '#editor/connections/connectionEntries.ts';
import { ConnectionRegistry } from '#editor/connections/connectionRegistry.ts';
import { ConnectionSettings } from '#editor/connections/connectionSettings.ts';
import { AgentFolders } from '#editor/connections/gateway/agentFolders.ts';
import { BuiltInGateway } from '#editor/connections/gateway/builtInGateway.ts';
import { UpstreamKeys } from '#editor/connections/gateway/upstreamKeys.ts';
import { KeyStore } from '#editor/connections/keys/keyStore.ts';
import { ServiceClients } from '#editor/connections/serviceClients.ts';
import { waitUntil } from '../waitUntil.ts';
import { getExtensionUnderTest } from './extensionUnderTest.ts';
import { MemorySecrets } from './memorySecrets.ts';
import { MemoryState } from './memoryState.ts';

/** Records the entries of a log channel. */
export class RecordedLog {
	readonly lines: string[] = [];
	readonly channel: vscode.LogOutputChannel;

	constructor() {
		const addLine = (text: unknown) => void this.lines.push(String(text));
		this.channel = {
			trace: addLine,
			debug: addLine,
			info: addLine,
			warn: addLine,
			error: addLine,
			show() {},
		} as unknown as vscode.LogOutputChannel;
	}
}

/** The connections of a window as the extension wires them, with separate secrets, memory and data folder. */
export class ConnectionsUnderTest {
	readonly log = new RecordedLog();
	readonly secrets: MemorySecrets;
	readonly dataFolder: string;
	readonly settings = new ConnectionSettings(this.log.channel);
	readonly folders = new AgentFolders();
	readonly upstreamKeys: UpstreamKeys;
	readonly clients = new ServiceClients(this.log.channel, 500);
	readonly keys: KeyStore;
	readonly gateway: BuiltInGateway;
	readonly registry: ConnectionRegistry;
	readonly actions: ConnectionActions;
	runFileAgents: string[] = [];

	/** `beside`: another window with the same data folder. */
	constructor(beside?: { dataFolder: string; secrets: MemorySecrets }) {
		this.dataFolder = beside?.dataFolder ?? fs.mkdtempSync(path.join(os.tmpdir(), 'aw-connections-'));
		this.secrets = beside?.secrets ?? new MemorySecrets();
		this.upstreamKeys = new UpstreamKeys(this.secrets, this.log.channel);
		this.keys = new KeyStore(this.secrets, this.log.channel);
		this.gateway = new BuiltInGateway({
			program: path.join(getExtensionUnderTest().extensionPath, 'dist', 'gateway.js'),
			dataFolder: this.dataFolder,
			folders: this.folders,
			upstreamKeys: this.upstreamKeys,
			log: this.log.channel,
		});
		const { settings, keys, clients, gateway } = this;
		this.registry = new ConnectionRegistry({
			gateway,
			settings,
			keys,
			clients,
			memory: new MemoryState(),
			askForKeys: entry => this.actions.setKey(entry),
		});
		this.actions = new ConnectionActions({
			settings,
			registry: this.registry,
			keys,
			clients,
			runFileAgents: async () => this.runFileAgents,
			builtIn: () => gateway.getEndpoint(),
		});
	}

	/** Adds a connection, with a key if one is given. */
	async addConnection(entry: Pick<ConnectionEntry, 'baseUrl'> & Partial<ConnectionEntry>, key?: string): Promise<ConnectionEntry> {
		const whole: ConnectionEntry = { id: 'played', name: 'Played', kind: 'gateway', ...entry };
		await this.settings.saveEntry(whole);
		if (key !== undefined) {
			await this.keys.set(whole, { agent: key, messages: key, content: key });
		}
		return whole;
	}

	/** Returns the process ID of the gateway that serves the data folder. */
	readGatewayPid(): number {
		return (JSON.parse(fs.readFileSync(path.join(this.dataFolder, 'gateway.lock'), 'utf8')) as { pid: number }).pid;
	}

	/** Closes the window; the gateway keeps running. */
	closeWindow(): void {
		for (const part of [this.registry, this.gateway, this.keys, this.settings, this.clients, this.folders]) {
			part.dispose();
		}
	}

	/** Closes the window, and stops the gateway if it started one. */
	async dispose(): Promise<void> {
		this.closeWindow();
		const settings = vscode.workspace.getConfiguration('agentWorkbench');
		// each change is written to a file and reported to all windows and extensions
		if (settings.inspect('connections')?.globalValue !== undefined) {
			await settings.update('connections', undefined, vscode.ConfigurationTarget.Global);
		}
		if (fs.existsSync(path.join(this.dataFolder, 'gateway.lock'))) {
			const pid = this.readGatewayPid();
			process.kill(pid, 'SIGTERM');
			await waitUntil('the gateway has ended', () => !isProcessAlive(pid));
		}
		fs.rmSync(this.dataFolder, { recursive: true, force: true });
	}
}

export function isProcessAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}
