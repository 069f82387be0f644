import { setTimeout as delay } from 'node:timers/promises';
import type { GatewayProcess } from '../../contract/gateway/gatewayProcess.ts';

/** Measures how a gateway responds to others during a test. */
export interface Probe {
	/** Milliseconds of the health checks so far, in order. */
	readonly times: readonly number[];
	/**
	 * Stops the probe.
	 * @returns the milliseconds of the longest health check
	 */
	stop(): Promise<number>;
}

/** Sends health checks to a gateway repeatedly. */
export function startProbe(gateway: GatewayProcess, everyMs = 20): Probe {
	const times: number[] = [];
	let going = true;
	const done = (async () => {
		while (going) {
			const began = performance.now();
			await (await fetch(new URL('/healthz', gateway.baseUrl))).arrayBuffer();
			times.push(performance.now() - began);
			await delay(everyMs);
		}
	})();
	return {
		times,
		async stop() {
			going = false;
			await done;
			return Math.max(...times);
		},
	};
}
