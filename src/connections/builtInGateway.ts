import * as vscode from 'vscode';
import { DisposableBase } from '../common/disposables.ts';
import { messageOf, Problem, reasonOf } from '../common/problems.ts';
import type { AgentFolders } from './agentFolders.ts';
import type { ConnectionState } from './connectionTypes.ts';
import { type Attachment, attach } from './gatewayAttachment.ts';
import type { GatewayKey } from './gatewayKey.ts';
import { endGateway, isAlive, readLock } from './gatewayLock.ts';
import { logGatewayLine } from './gatewayLog.ts';
import { startGateway } from './gatewayProcess.ts';
import type { GatewaySettings } from './gatewaySettings.ts';
import type { UpstreamKeys } from './upstreamKeys.ts';

/** Where the built-in gateway listens, and with which key. */
export interface GatewayEndpoint {
	readonly baseUrl: string;
	readonly key: string;
}

/** What the built-in gateway is made of. */
export interface BuiltInGatewayParts {
	/** `dist/gateway.js`. */
	readonly program: string;
	readonly dataFolder: string;
	readonly key: GatewayKey;
	readonly folders: AgentFolders;
	readonly settings: GatewaySettings;
	readonly upstreamKeys: UpstreamKeys;
	readonly log: vscode.LogOutputChannel;
}

/** Windows that start a gateway at the same moment meet at its lock: who loses attaches in the next round. */
const rounds = 5;

/**
 * The gateway of this window's data folder (DESIGN, decision 7): started on first use, or attached to where another window has
 * started it, held by an open attachment, let go with the window, and started again at the next use after a crash.
 */
export class BuiltInGateway extends DisposableBase {
	readonly #parts: BuiltInGatewayParts;
	readonly #stateChanged = this.own(new vscode.EventEmitter<void>());
	readonly #agentsChanged = this.own(new vscode.EventEmitter<void>());
	readonly onDidChangeState = this.#stateChanged.event;
	readonly onDidChangeAgents = this.#agentsChanged.event;
	#state: ConnectionState = { kind: 'idle' };
	#starting: Promise<GatewayEndpoint> | undefined;
	#endpoint: GatewayEndpoint | undefined;
	#attachment: Attachment | undefined;

	constructor(parts: BuiltInGatewayParts) {
		super();
		this.#parts = parts;
		this.own({ dispose: () => this.#attachment?.close() });
		this.own(parts.folders.onDidChange(() => this.#foldersChanged()));
	}

	get state(): ConnectionState {
		return this.#state;
	}

	/** The endpoint of a gateway that runs. Rejects with a {@link Problem} `gateway-start` that says why none does. */
	async endpoint(): Promise<GatewayEndpoint> {
		if (this.#endpoint) {
			return this.#endpoint;
		}
		this.#starting ??= this.#start().finally(() => {
			this.#starting = undefined;
		});
		return this.#starting;
	}

	/** Ends the gateway, whichever window started it, and starts it with the settings of now. Rejects as {@link endpoint} does. */
	async restart(): Promise<void> {
		await this.#starting?.catch(() => {});
		this.#attachment?.close();
		this.#attachment = undefined;
		this.#endpoint = undefined;
		const { dataFolder } = this.#parts;
		const lock = await readLock(dataFolder);
		if (lock && isAlive(lock.pid)) {
			await endGateway(dataFolder, lock);
		}
		await this.endpoint();
		this.#agentsChanged.fire();
	}

	async #start(): Promise<GatewayEndpoint> {
		this.#setState({ kind: 'starting' });
		try {
			const endpoint = await this.#find();
			this.#endpoint = endpoint;
			this.#setState({ kind: 'ready' });
			return endpoint;
		} catch (error) {
			const message = vscode.l10n.t('The built-in gateway did not start: {0}.', messageOf(error).replace(/\.$/, ''));
			this.#setState({ kind: 'failed', message });
			throw new Problem('gateway-start', message, undefined, { cause: error });
		}
	}

	async #find(): Promise<GatewayEndpoint> {
		for (let round = 1; ; round++) {
			const key = await this.#parts.key.get();
			const running = await this.#attachToRunning(key);
			if (running) {
				return running;
			}
			try {
				return await this.#startNew(key);
			} catch (error) {
				if (round === rounds || this.disposed || reasonOf(error) !== 'folder-in-use') {
					throw error;
				}
			}
			await new Promise(resolve => setTimeout(resolve, 200 * round));
		}
	}

	async #attachToRunning(key: string): Promise<GatewayEndpoint | undefined> {
		const { dataFolder, log } = this.#parts;
		const lock = await readLock(dataFolder);
		if (!lock?.port || !isAlive(lock.pid)) {
			return undefined;
		}
		const endpoint = { baseUrl: `http://127.0.0.1:${lock.port}`, key };
		try {
			await this.#attach(endpoint);
			log.info(`Attached to the gateway at ${endpoint.baseUrl} (process ${lock.pid})`);
			return endpoint;
		} catch (error) {
			// only what answered as a gateway is asked to end: a lock that a crash left behind can name any process by now
			if (reasonOf(error) === 'key-refused') {
				log.warn(`The gateway of process ${lock.pid} does not know this window's key: asking it to end`);
				await endGateway(dataFolder, lock);
			}
			return undefined;
		}
	}

	async #startNew(key: string): Promise<GatewayEndpoint> {
		const { program, dataFolder, settings, log } = this.#parts;
		const { config, flags, keys } = settings.read();
		const upstreamKeys = await this.#parts.upstreamKeys.all(keys);
		const baseUrl = await startGateway({ program, dataFolder, key, config, flags, upstreamKeys, onLog: line => logGatewayLine(log, line) });
		log.info(`Started the gateway at ${baseUrl}`);
		await this.#attach({ baseUrl, key });
		return { baseUrl, key };
	}

	async #attach(endpoint: GatewayEndpoint): Promise<void> {
		const attachment: Attachment = await attach(endpoint, this.#parts.folders.list(), {
			agentsChanged: () => this.#agentsChanged.fire(),
			ended: () => this.#attachment === attachment && this.#ended(),
		});
		this.#attachment?.close();
		this.#attachment = attachment;
		if (this.disposed) {
			attachment.close();
		}
	}

	#ended(): void {
		this.#endpoint = undefined;
		this.#attachment = undefined;
		this.#parts.log.warn('The built-in gateway ended; it starts again at the next use');
		this.#setState({
			kind: 'failed',
			message: vscode.l10n.t('The built-in gateway ended unexpectedly. It starts again at the next use.'),
		});
	}

	/** A new attachment carries the new folders; the old one goes only then, so that the gateway is never let go. */
	async #foldersChanged(): Promise<void> {
		if (!this.#endpoint) {
			return;
		}
		try {
			await this.#attach(this.#endpoint);
			this.#agentsChanged.fire();
		} catch (error) {
			this.#parts.log.warn(`The agents folders could not be handed to the gateway: ${messageOf(error)}`);
		}
	}

	#setState(state: ConnectionState): void {
		this.#state = state;
		if (!this.disposed) {
			this.#stateChanged.fire();
		}
	}
}
