import { getCACertificates } from 'node:tls';
import Agent from 'undici/lib/dispatcher/agent.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import type { default as Dispatcher } from 'undici/types/dispatcher.d.ts';

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

/**
 * Connections to the services behind the routes. Others than plain ones to this machine obey the proxy environment variables and trust the
 * system's certificates beside Node's; loopback never goes through a proxy.
 */
export class Upstreams {
	readonly #timeouts: UpstreamTimeouts;
	#near: Dispatcher | undefined;
	#far: Dispatcher | undefined;

	constructor(timeouts: Partial<UpstreamTimeouts> = {}) {
		this.#timeouts = { ...defaultTimeouts, ...timeouts };
	}

	/** Sends a request; `options.origin` is the service's. The handler hears of everything, faults included. */
	dispatch(options: Dispatcher.DispatchOptions & { origin: string }, handler: Dispatcher.DispatchHandler): void {
		this.#dispatcher(options.origin).dispatch(options, handler);
	}

	/** Ends all connections, those in use too. */
	async close(): Promise<void> {
		await Promise.all([this.#near?.destroy(), this.#far?.destroy()]);
	}

	#dispatcher(origin: string): Dispatcher {
		if (nearby.test(origin)) {
			this.#near ??= new Agent(this.#options());
			return this.#near;
		}
		this.#far ??= new EnvHttpProxyAgent(this.#farOptions());
		return this.#far;
	}

	#options() {
		const { connect, headers, idle } = this.#timeouts;
		return { connectTimeout: connect, headersTimeout: headers, bodyTimeout: idle, allowH2: false } as const;
	}

	#farOptions() {
		const ca = [...getCACertificates('default'), ...getCACertificates('system')];
		const { no_proxy, NO_PROXY } = process.env;
		const noProxy = [no_proxy ?? NO_PROXY, 'localhost', '127.0.0.1', '::1'].filter(Boolean).join(',');
		return { ...this.#options(), connect: { ca }, requestTls: { ca }, proxyTls: { ca }, noProxy };
	}
}

const nearby = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;
