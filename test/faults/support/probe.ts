import { setTimeout as delay } from 'node:timers/promises';
import type { GatewayProcess } from '../../contract/gateway/gatewayProcess.ts';

/** How a gateway answers others while something goes on in it. */
export interface Probe {
	/** Milliseconds of the health checks so far, in their order. */
	readonly times: readonly number[];
	/** Ends it. @returns the longest of them */
	stop(): Promise<number>;
}

/** Asks a gateway for its health again and again. */
export function probe(gateway: GatewayProcess, everyMs = 20): Probe {
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
