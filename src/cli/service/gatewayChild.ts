import type { ChildProcess } from 'node:child_process';
import type { Attachment } from '#client/localGateway/gatewayAttachment.ts';
import type { GatewayEndpoint } from '#client/localGateway/gatewayLock.ts';
import { type GatewayStartError, spawnGateway } from '#client/localGateway/spawnGateway.ts';
import { gatewayProgram } from '../assets.ts';
import { CliFault, exitCodes } from '../cliFault.ts';
import type { Interrupt } from '../interrupt.ts';

/** Seconds that the gateway waits before exiting once no client is attached, which happens if its command was killed. */
const idleSeconds = 10;
const startTimeoutMs = 60_000;

/** A gateway process started by this command. */
export class GatewayChild {
	readonly endpoint: GatewayEndpoint;
	/** Set once this command is attached. The gateway isn't killed while other commands use it. */
	attachment: Pick<Attachment, 'isShared'> | undefined;
	readonly #child: ChildProcess;
	readonly #closed: Promise<void>;

	private constructor(child: ChildProcess, endpoint: GatewayEndpoint, closed: Promise<void>) {
		this.#child = child;
		this.endpoint = endpoint;
		this.#closed = closed;
	}

	/**
	 * Starts the gateway and resolves when it listens. Resolves to `undefined` if another gateway serves the data folder. Rejects with a
	 * {@link CliFault} that has the gateway's own error message.
	 *
	 * @param flags additional flags of gateway.js
	 * @param environment variables for the gateway
	 * @param ending kills the gateway when this process exits immediately
	 */
	static async start(
		flags: readonly string[],
		environment: NodeJS.ProcessEnv,
		ending: Pick<Interrupt, 'onEnd'>,
	): Promise<GatewayChild | undefined> {
		const gateway = spawnGateway({
			program: gatewayProgram,
			flags: ['--log', 'text', ...flags],
			environment,
			idleSeconds,
			timeoutMs: startTimeoutMs,
		});
		const { process: child, closed } = gateway;
		let started: GatewayChild | undefined;
		ending.onEnd(() => {
			if (!started?.attachment?.isShared) {
				child.kill('SIGKILL');
			}
		});
		try {
			const { base_url: baseUrl, api_key: key = '' } = await gateway.ready;
			started = new GatewayChild(child, { baseUrl, key }, closed);
			return started;
		} catch (error) {
			const { reason } = error as GatewayStartError;
			if (reason === 'folder-in-use') {
				return undefined;
			}
			if (reason === 'timeout') {
				child.kill('SIGKILL');
			}
			throw createStartFault(error as GatewayStartError);
		}
	}

	/** Stops the gateway gracefully. Active runs are stopped and saved. */
	async stop(): Promise<void> {
		this.#child.kill('SIGTERM');
		await this.#closed;
	}
}

function createStartFault({ reason, message, lastLine }: GatewayStartError): CliFault {
	switch (reason) {
		case 'timeout':
			return new CliFault(`The built-in gateway ${message}.`, exitCodes.unreached);
		case 'spawn':
			return new CliFault(`Couldn't start the built-in gateway: ${message}.`);
		default:
			return new CliFault(lastLine || `The built-in gateway ${message}.`);
	}
}
