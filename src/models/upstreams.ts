import type { default as Dispatcher } from 'undici/types/dispatcher.d.ts';
import { createDispatcher } from '#network/dispatcher.ts';
import type { NetworkSettings } from '#network/networkSettings.ts';

/** How long a service may take, in milliseconds. */
export interface UpstreamTimeouts {
	readonly connect: number;
	/** Until the reply begins; a reply that is not streamed takes as long as the model thinks. */
	readonly headers: number;
	/** Between two pieces of a reply. */
	readonly idle: number;
}

/** Anthropic's SDK waits 10 minutes for a reply (wire facts 2.3); whoever gives up first should be the caller. */
const defaultTimeouts: UpstreamTimeouts = { connect: 10_000, headers: 610_000, idle: 610_000 };

/** Connections to the services behind the routes, kept by origin: there are as many as the configuration names. */
export class Upstreams {
	readonly #network: NetworkSettings;
	readonly #timeouts: UpstreamTimeouts;
	readonly #dispatchers = new Map<string, Dispatcher>();

	constructor(network: NetworkSettings = {}, timeouts: Partial<UpstreamTimeouts> = {}) {
		this.#network = network;
		this.#timeouts = { ...defaultTimeouts, ...timeouts };
	}

	/**
	 * Sends a request; `options.origin` is the service's. The handler hears of everything, faults included.
	 * @throws {ProxyAddressError}
	 */
	readonly dispatch = (options: Dispatcher.DispatchOptions & { origin: string }, handler: Dispatcher.DispatchHandler): void => {
		const { headers: headersTimeout, idle: bodyTimeout } = this.#timeouts;
		this.#dispatcher(options.origin).dispatch({ headersTimeout, bodyTimeout, ...options }, handler);
	};

	/** Ends all connections, those in use too. */
	async close(): Promise<void> {
		await Promise.all([...this.#dispatchers.values()].map(dispatcher => dispatcher.destroy()));
	}

	#dispatcher(origin: string): Dispatcher {
		let dispatcher = this.#dispatchers.get(origin);
		if (dispatcher === undefined) {
			dispatcher = createDispatcher(new URL(origin), this.#network, { connectTimeout: this.#timeouts.connect });
			this.#dispatchers.set(origin, dispatcher);
		}
		return dispatcher;
	}
}
