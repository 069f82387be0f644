import type { Exchange } from './exchange.ts';

/**
 * What goes wrong with an answer: `lost`: the work is done and the connection breaks before the answer; `cut`: a stream breaks after that many events;
 * `refuse`: refused before any work; `page`: a page of a proxy, before any work; `held`: waits for the promise before the work; one that is made when the request is there, where it is a function.
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

/** Faults that a test has planned, each for requests like `POST /openapi/v1/apps/…:publish`. */
export class Faults {
	#planned: Planned[] = [];

	/** Has the next `times` requests whose method and path match go wrong. */
	plan(of: RegExp, fault: Fault, times = 1): void {
		this.#planned.push({ of, fault, times });
	}

	clear(): void {
		this.#planned = [];
	}

	/** The fault of a request, which is used up by it. */
	take({ method, path }: Pick<Exchange, 'method' | 'path'>): Fault | undefined {
		const planned = this.#planned.find(each => each.times > 0 && each.of.test(`${method} ${path}`));
		if (planned) {
			planned.times -= 1;
		}
		return planned?.fault;
	}
}

/** A page as a proxy in between shows it. */
export const proxyPage = '<!doctype html><html><head><title>Error</title></head><body><h1>The page is not here</h1></body></html>';
