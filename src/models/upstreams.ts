import type { default as Dispatcher } from 'undici/types/dispatcher.d.ts';
import { createDispatcher } from '#network/dispatcher.ts';
import type { NetworkSettings } from '#network/networkSettings.ts';

/** Timeouts in milliseconds. */
export interface UpstreamTimeouts {
	readonly connect: number;
	/** Until the reply starts. For a reply that isn't streamed, this includes the time that the model needs. */
	readonly headers: number;
	/** Between two chunks of a reply. */
	readonly idle: number;
}

/** Anthropic's SDK waits 10 minutes for a reply (wire facts 2.3), and the caller should time out before the gateway does. */
const defaultTimeouts: UpstreamTimeouts = { connect: 10_000, headers: 610_000, idle: 610_000 };

/** Connections to the services behind the routes, cached by origin. The configuration limits their number. */
export class Upstreams {
	readonly #network: NetworkSettings;
	readonly #timeouts: UpstreamTimeouts;
	readonly #dispatchers = new Map<string, Dispatcher>();

	constructor(network: NetworkSettings = {}, timeouts: Partial<UpstreamTimeouts> = {}) {
		this.#network = network;
		this.#timeouts = { ...defaultTimeouts, ...timeouts };
	}

	/**
	 * Sends a request to `options.origin`. The handler receives the result or the error.
	 * @throws {ProxyAddressError} if the configured proxy address isn't valid
	 */
	readonly dispatch = (options: Dispatcher.DispatchOptions & { origin: string }, handler: Dispatcher.DispatchHandler): void => {
		const { headers: headersTimeout, idle: bodyTimeout } = this.#timeouts;
		this.#getDispatcher(options.origin).dispatch({ headersTimeout, bodyTimeout, ...options }, handler);
	};

	/** Closes all connections, including those in use. */
	async close(): Promise<void> {
		await Promise.all([...this.#dispatchers.values()].map(dispatcher => dispatcher.destroy()));
	}

	#getDispatcher(origin: string): Dispatcher {
		let dispatcher = this.#dispatchers.get(origin);
		if (dispatcher === undefined) {
			dispatcher = createDispatcher(new URL(origin), this.#network, { connectTimeout: this.#timeouts.connect });
			this.#dispatchers.set(origin, dispatcher);
		}
		return dispatcher;
	}
}
