import type { Exchange } from './exchange.ts';

/**
 * A fault of a response. `lost`: the request is executed, but the connection breaks before the response. `cut`: a stream breaks after this
 * many events. `refuse`: the request is refused before it is executed. `page`: a proxy's page is sent instead. `held`: the request waits
 * for the promise before it is executed; a function is called when the request arrives.
 */
export type Fault =
	| { readonly kind: 'lost' }
	| { readonly kind: 'cut'; readonly afterEvents: number }
	| {
			readonly kind: 'refuse';
			readonly status: number;
			readonly code?: string;
			readonly message?: string;
			/** Seconds. */
			readonly retryAfter?: number;
	  }
	| { readonly kind: 'page'; readonly status: number }
	| { readonly kind: 'held'; readonly until: Promise<unknown> | (() => Promise<unknown>) };

interface Planned {
	readonly of: RegExp;
	readonly fault: Fault;
	times: number;
}

/** Planned faults, each for requests like `POST /openapi/v1/apps/…:publish`. */
export class Faults {
	#planned: Planned[] = [];

	/** Applies a fault to the next `times` requests whose method and path match. */
	planFault(of: RegExp, fault: Fault, times = 1): void {
		this.#planned.push({ of, fault, times });
	}

	clear(): void {
		this.#planned = [];
	}

	/** Returns and removes the fault of a request. */
	takeFault({ method, path }: Pick<Exchange, 'method' | 'path'>): Fault | undefined {
		const planned = this.#planned.find(each => each.times > 0 && each.of.test(`${method} ${path}`));
		if (planned) {
			planned.times -= 1;
		}
		return planned?.fault;
	}
}

/** An error page of a proxy. */
export const proxyPage = '<!doctype html><html><head><title>Error</title></head><body><h1>The page is not here</h1></body></html>';
