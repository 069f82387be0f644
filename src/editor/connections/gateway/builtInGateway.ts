import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { getErrorMessage, getErrorReason, getRemedy, Problem } from '#base/problems.ts';
import type { Attachment } from '#client/localGateway/gatewayAttachment.ts';
import {
	endGateway,
	findGateway,
	findOlderHolder,
	type GatewayEndpoint,
	getLockEndpoint,
	readLock,
} from '#client/localGateway/gatewayLock.ts';
import type { GatewayLock } from '#contract/localGateway.ts';
import { translateError } from '../../platform/translateError.ts';
import type { ConnectionState } from '../connectionTypes.ts';
import type { AgentFolders } from './agentFolders.ts';
import { logGatewayLine } from './gatewayLog.ts';
import type { UpstreamKeys } from './upstreamKeys.ts';

interface BuiltInGatewayParts {
	/** Path of `dist/gateway.js`. */
	readonly program: string;
	readonly dataFolder: string;
	readonly folders: AgentFolders;
	readonly upstreamKeys: UpstreamKeys;
	readonly log: vscode.LogOutputChannel;
}

/** Maximum attempts to start or attach. If several windows start a gateway at once, one gets the lock and the others attach next time. */
const maxAttempts = 5;

/**
 * The gateway of this window's data folder (decision 7). It starts on first use, unless another window already started it. An open
 * attachment keeps it running until the window closes. After a crash, the next use starts it again.
 */
export class BuiltInGateway extends DisposableBase {
	readonly #parts: BuiltInGatewayParts;
	readonly #stateChanged = this.register(new vscode.EventEmitter<void>());
	readonly #agentsChanged = this.register(new vscode.EventEmitter<void>());
	readonly onDidChangeState = this.#stateChanged.event;
	readonly onDidChangeAgents = this.#agentsChanged.event;
	#state: ConnectionState = { kind: 'idle' };
	/** Flags for the next start, in addition to those from the settings. */
	#flags: readonly string[] = [];
	#starting: Promise<GatewayEndpoint> | undefined;
	#endpoint: GatewayEndpoint | undefined;
	#attachment: Attachment | undefined;
	/** Lock of the process that this window is attached to. The process exists while the attachment is open. */
	#attached: GatewayLock | undefined;
	/** True if this window started the process that it's attached to, so that it reads the log from the process output. */
	#isStarter = false;

	constructor(parts: BuiltInGatewayParts) {
		super();
		this.#parts = parts;
		this.register({ dispose: () => this.#attachment?.close() });
		this.register(parts.folders.onDidChange(() => this.#onFoldersChange()));
	}

	get state(): ConnectionState {
		return this.#state;
	}

	/** Returns the endpoint of the gateway. Starts the gateway if necessary. Rejects with a {@link Problem} if it can't be started. */
	async getEndpoint(): Promise<GatewayEndpoint> {
		if (this.#endpoint) {
			return this.#endpoint;
		}
		this.#starting ??= this.#startGateway().finally(() => {
			this.#starting = undefined;
		});
		return this.#starting;
	}

	/**
	 * Restarts the gateway with the current settings, even if another window started it. This stops its active runs, so call it only when the
	 * user requests it. Rejects with the errors of {@link getEndpoint}.
	 */
	async restartGateway(): Promise<void> {
		await this.#starting?.catch(() => {});
		const { dataFolder } = this.#parts;
		// a process that hangs doesn't respond to findGateway, but the attachment proves that it exists
		const running = this.#attached ?? (await findGateway(dataFolder));
		const attachment = this.#attachment;
		this.#clearAttachment();
		if (running) {
			await endGateway(dataFolder, running);
		}
		attachment?.close();
		await this.getEndpoint();
		this.#agentsChanged.fire();
	}

	/**
	 * Moves an unreadable store to a folder next to it, and starts the gateway with a new store. Rejects with the errors of {@link
	 * getEndpoint}.
	 */
	async startWithNewStore(): Promise<void> {
		await this.#starting?.catch(() => {});
		this.#flags = ['--set-aside-store'];
		try {
			await this.getEndpoint();
		} finally {
			this.#flags = [];
		}
		this.#agentsChanged.fire();
	}

	async #startGateway(): Promise<GatewayEndpoint> {
		this.#setState({ kind: 'starting' });
		try {
			const endpoint = await this.#attachOrStart();
			this.#endpoint = endpoint;
			this.#setState({ kind: 'ready' });
			return endpoint;
		} catch (error) {
			const message = vscode.l10n.t({
				message: "Couldn't start the built-in gateway. {0}",
				args: [translateError(error).replace(/\.?$/, '.')],
				comment: ['{0} is a sentence that says why'],
			});
			this.#setState({ kind: 'failed', message });
			throw new Problem('gateway-start', message, getRemedy(error), { cause: error });
		}
	}

	async #attachOrStart(): Promise<GatewayEndpoint> {
		for (let attempt = 1; ; attempt++) {
			const { readGatewayKey } = await import('./gatewayStart.ts');
			const key = await readGatewayKey(this.#parts.dataFolder);
			const running = await this.#attachToRunning(key);
			if (running) {
				return running;
			}
			try {
				return await this.#startNewGateway(key);
			} catch (error) {
				if (this.disposed || getErrorReason(error) !== 'folder-in-use') {
					throw error;
				}
				if (attempt === maxAttempts) {
					const older = await findOlderHolder(this.#parts.dataFolder);
					throw older === undefined ? error : (await import('./gatewayStart.ts')).createOtherVersionProblem(older);
				}
			}
			await new Promise(resolve => setTimeout(resolve, 200 * attempt));
		}
	}

	async #attachToRunning(key: string): Promise<GatewayEndpoint | undefined> {
		const { dataFolder, log } = this.#parts;
		const lock = await findGateway(dataFolder);
		if (!lock) {
			return undefined;
		}
		const endpoint = getLockEndpoint(lock, key);
		try {
			this.#isStarter = false;
			await this.#openAttachment(endpoint, lock, 'all');
			log.info(`Attached to the gateway at ${endpoint.baseUrl} (process ${lock.pid})`);
			return endpoint;
		} catch (error) {
			// don't stop it without asking, because another client that knows its key may have active runs
			if (getErrorReason(error) === 'key-refused') {
				throw (await import('./gatewayStart.ts')).createKeyRefusedProblem(lock.pid);
			}
			return undefined;
		}
	}

	async #startNewGateway(key: string): Promise<GatewayEndpoint> {
		const { program, dataFolder, upstreamKeys, log } = this.#parts;
		const { startGatewayWithSettings: startWithSettings } = await import('./gatewayStart.ts');
		const onLog = (line: string) => logGatewayLine(log, line);
		const baseUrl = await startWithSettings({ program, dataFolder, key, flags: this.#flags, upstreamKeys, onLog });
		log.info(`Started the gateway at ${baseUrl}`);
		this.#isStarter = true;
		await this.#openAttachment({ baseUrl, key }, await readLock(dataFolder));
		return { baseUrl, key };
	}

	async #openAttachment(endpoint: GatewayEndpoint, lock: GatewayLock | undefined, log?: 'all' | 'new'): Promise<void> {
		const listener = {
			onAgentsChanged: () => this.#agentsChanged.fire(),
			onLog: (line: string) => logGatewayLine(this.#parts.log, line),
			onEnd: () => this.#attachment === attachment && this.#onGatewayExit(),
		};
		const { attachToStartedGateway } = await import('./gatewayStart.ts');
		const attachment: Attachment = await attachToStartedGateway(endpoint, this.#parts.folders.listFolders(), listener, log);
		this.#attachment?.close();
		this.#attachment = attachment;
		this.#attached = lock;
		if (this.disposed) {
			attachment.close();
		}
	}

	#clearAttachment(): void {
		this.#endpoint = undefined;
		this.#attachment = undefined;
		this.#attached = undefined;
	}

	#onGatewayExit(): void {
		this.#clearAttachment();
		this.#parts.log.warn('The built-in gateway stopped. It restarts at the next use');
		this.#setState({
			kind: 'failed',
			message: vscode.l10n.t("The built-in gateway stopped unexpectedly. It will restart the next time it's needed."),
		});
	}

	/** Opens an attachment with the new folders before closing the old one, because a gateway without attachments exits. */
	async #onFoldersChange(): Promise<void> {
		if (!this.#endpoint) {
			return;
		}
		try {
			await this.#openAttachment(this.#endpoint, this.#attached, this.#isStarter ? undefined : 'new');
			this.#agentsChanged.fire();
		} catch (error) {
			this.#parts.log.warn(`Couldn't send the agent folders to the gateway: ${getErrorMessage(error)}`);
		}
	}

	#setState(state: ConnectionState): void {
		this.#state = state;
		if (!this.disposed) {
			this.#stateChanged.fire();
		}
	}
}
