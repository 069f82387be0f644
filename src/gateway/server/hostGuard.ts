import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { ServiceFault } from '#contract/faults/serviceFault.ts';

const loopback = new Set(['127.0.0.1', 'localhost', '::1']);

/**
 * Keeps web pages out that `AllowedOrigins` cannot tell: refuses any `Host` that a page could have got by rebinding a name of its own to this machine. The port is
 * not looked at: a forwarded port differs. Bound to another address, IP literals and the machine's own name pass too; no name of a page is one. What else
 * it is called, in a network of containers or behind a proxy, the user says.
 */
export class HostGuard {
	readonly #bound: string;
	readonly #names: ReadonlySet<string>;

	/** `bound`: address or name that the server listens on; `allowed`: more names that it may be called by. */
	constructor(bound: string, allowed: readonly string[] = []) {
		this.#bound = bound;
		this.#names = new Set([
			...loopback,
			bound.toLowerCase(),
			...(loopback.has(bound) ? [] : [hostname().toLowerCase()]),
			...allowed.map(name => name.toLowerCase()),
		]);
	}

	/** Throws a fault: 403 for a request that a web page may have sent, 400 for one that names two hosts, of which something before us may believe the other. */
	check(request: IncomingMessage): void {
		if (hasTwoHosts(request.rawHeaders)) {
			throw new ServiceFault(400, 'The request has more than one Host header: expected one.');
		}
		const host = request.headers.host ?? '';
		if (host === this.#last) {
			return;
		}
		const name = nameOf(host);
		const known = this.#names.has(name) || (!loopback.has(this.#bound) && isIP(name) !== 0);
		if (!known) {
			throw new ServiceFault(
				403,
				`The Host header names ${host.slice(0, 100) || 'nothing'}: expected this machine, as in ${this.#bound}, or a name given by --allow-host.`,
			);
		}
		this.#last = host;
	}

	/** The last Host that passed: clients send the same one again. */
	#last: string | undefined;
}

/** Node gives the first one only (RFC 9112, 3.2: such a request is refused). `headers`: names and values in turn. */
function hasTwoHosts(headers: readonly string[]): boolean {
	let hosts = 0;
	for (let i = 0; i < headers.length; i += 2) {
		const name = headers[i] as string;
		hosts += name.length === 4 && name.toLowerCase() === 'host' ? 1 : 0;
	}
	return hosts > 1;
}

/** Host name of a Host header, without port and brackets, in lower case. */
function nameOf(host: string): string {
	const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::\d+)?$/i.exec(host);
	return (match?.[1] ?? match?.[2] ?? '').toLowerCase();
}
