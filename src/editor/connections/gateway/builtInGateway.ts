import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { messageOf, Problem, reasonOf, remedyOf } from '#base/problems.ts';
import { type Attachment, attach } from '#client/localGateway/gatewayAttachment.ts';
import type { GatewayKey } from '#client/localGateway/gatewayKey.ts';
import { endGateway, endpointOfLock, findGateway, type GatewayEndpoint, olderHolder, readLock } from '#client/localGateway/gatewayLock.ts';
import type { GatewayLock } from '#contract/localGateway.ts';
import type { ConnectionState } from '../connectionTypes.ts';
import type { AgentFolders } from './agentFolders.ts';
import { logGatewayLine } from './gatewayLog.ts';
import type { UpstreamKeys } from './upstreamKeys.ts';

/** What the built-in gateway is made of. */
interface BuiltInGatewayParts {
	/** `dist/gateway.js`. */
	readonly program: string;
	readonly dataFolder: string;
	readonly key: GatewayKey;
	readonly folders: AgentFolders;
	readonly upstreamKeys: UpstreamKeys;
	readonly log: vscode.LogOutputChannel;
}

/** Windows that start a gateway at the same moment meet at its lock: who loses attaches in the next round. */
const rounds = 5;

/**
 * The gateway of this window's data folder (decision 7): started on first use, or attached to where another window has
 * started it, held by an open attachment, let go with the window, and started again at the next use after a crash.
 */
export class BuiltInGateway extends DisposableBase {
	readonly #parts: BuiltInGatewayParts;
	readonly #stateChanged = this.own(new vscode.EventEmitter<void>());
	readonly #agentsChanged = this.own(new vscode.EventEmitter<void>());
	readonly onDidChangeState = this.#stateChanged.event;
	readonly onDidChangeAgents = this.#agentsChanged.event;
	#state: ConnectionState = { kind: 'idle' };
	/** Flags of the next start besides those of the settings. */
	#flags: readonly string[] = [];
	#starting: Promise<GatewayEndpoint> | undefined;
	#endpoint: GatewayEndpoint | undefined;
	#attachment: Attachment | undefined;
	/** What the open attachment leads to: the process is there as long as it is open. */
	#attached: GatewayLock | undefined;
	/** Whether this window has started what it is attached to, and reads its log where that is written. */
	#isStarter = false;

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

	/**
	 * Ends the gateway, whichever window started it, with the runs that go on, and starts it with the settings of now. Only for a user who wants that.
	 * Rejects as {@link endpoint} does.
	 */
	async restart(): Promise<void> {
		await this.#starting?.catch(() => {});
		const { dataFolder } = this.#parts;
		// one that hangs no longer says who it is, but the attachment shows that it is there
		const running = this.#attached ?? (await findGateway(dataFolder));
		const attachment = this.#attachment;
		this.#letGo();
		if (running) {
			await endGateway(dataFolder, running);
		}
		attachment?.close();
		await this.endpoint();
		this.#agentsChanged.fire();
	}

	/** Starts the gateway with a new store where the one that is there cannot be opened: that is kept in a folder beside it. Rejects as {@link endpoint} does. */
	async startWithNewStore(): Promise<void> {
		await this.#starting?.catch(() => {});
		this.#flags = ['--set-aside-store'];
		try {
			await this.endpoint();
		} finally {
			this.#flags = [];
		}
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
			throw new Problem('gateway-start', message, remedyOf(error), { cause: error });
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
				if (this.disposed || reasonOf(error) !== 'folder-in-use') {
					throw error;
				}
				if (round === rounds) {
					const older = await olderHolder(this.#parts.dataFolder);
					throw older === undefined ? error : heldByOlder(older);
				}
			}
			await new Promise(resolve => setTimeout(resolve, 200 * round));
		}
	}

	async #attachToRunning(key: string): Promise<GatewayEndpoint | undefined> {
		const { dataFolder, log } = this.#parts;
		const lock = await findGateway(dataFolder);
		if (!lock) {
			return undefined;
		}
		const endpoint = endpointOfLock(lock, key);
		try {
			this.#isStarter = false;
			await this.#attach(endpoint, lock, 'all');
			log.info(`Attached to the gateway at ${endpoint.baseUrl} (process ${lock.pid})`);
			return endpoint;
		} catch (error) {
			// it may have runs of somebody who knows its key: not ended unasked
			if (reasonOf(error) === 'key-refused') {
				throw keyRefused(lock.pid);
			}
			return undefined;
		}
	}

	async #startNew(key: string): Promise<GatewayEndpoint> {
		const { program, dataFolder, upstreamKeys, log } = this.#parts;
		const { startWithSettings } = await import('./gatewayStart.ts');
		const onLog = (line: string) => logGatewayLine(log, line);
		const baseUrl = await startWithSettings({ program, dataFolder, key, flags: this.#flags, upstreamKeys, onLog });
		log.info(`Started the gateway at ${baseUrl}`);
		this.#isStarter = true;
		await this.#attach({ baseUrl, key }, await readLock(dataFolder));
		return { baseUrl, key };
	}

	async #attach(endpoint: GatewayEndpoint, lock: GatewayLock | undefined, log?: 'all' | 'new'): Promise<void> {
		const listener = {
			agentsChanged: () => this.#agentsChanged.fire(),
			logged: (line: string) => logGatewayLine(this.#parts.log, line),
			ended: () => this.#attachment === attachment && this.#ended(),
		};
		const attachment: Attachment = await attach(endpoint, this.#parts.folders.list(), listener, log);
		this.#attachment?.close();
		this.#attachment = attachment;
		this.#attached = lock;
		if (this.disposed) {
			attachment.close();
		}
	}

	#letGo(): void {
		this.#endpoint = undefined;
		this.#attachment = undefined;
		this.#attached = undefined;
	}

	#ended(): void {
		this.#letGo();
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
			await this.#attach(this.#endpoint, this.#attached, this.#isStarter ? undefined : 'new');
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

function keyRefused(pid: number): Problem {
	return new Problem(
		'key-refused',
		vscode.l10n.t(
			'the gateway that serves this workspace (process {0}) refused the key in gateway.key. It ends by itself once no window and no run needs it; a restart ends it now, with its runs',
			pid,
		),
		{ title: vscode.l10n.t('Restart Gateway'), command: 'agentWorkbench.gateway.restart' },
	);
}

/** It cannot be told from a stranger to whom its process ID went: nothing ends it but itself. */
function heldByOlder(pid: number): Problem {
	return new Problem(
		'folder-in-use',
		vscode.l10n.t(
			'a gateway of another version serves this workspace (process {0}), from before an update or from another window. It ends by itself once no window of that version and no run needs it: reload those windows, then try again',
			pid,
		),
		{ title: vscode.l10n.t('Try Again'), command: 'agentWorkbench.gateway.restart' },
	);
}
