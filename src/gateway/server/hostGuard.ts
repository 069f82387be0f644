import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';

const loopback = new Set(['127.0.0.1', 'localhost', '::1']);

/**
 * Blocks web pages that `AllowedOrigins` can't detect: refuses any `Host` that a page could use after rebinding its DNS name to this
 * machine. Ignores the port, because a forwarded port differs. If the server is bound to another address, IP addresses and the machine's
 * hostname are allowed too, because no page has those. Users can allow further names, for container networks or proxies.
 */
export class HostGuard {
	readonly #bound: string;
	readonly #names: ReadonlySet<string>;

	/**
	 * @param bound address or name that the server listens on
	 * @param allowed further names that clients may use
	 */
	constructor(bound: string, allowed: readonly string[] = []) {
		this.#bound = bound;
		this.#names = new Set([
			...loopback,
			bound.toLowerCase(),
			...(loopback.has(bound) ? [] : [hostname().toLowerCase()]),
			...allowed.map(name => name.toLowerCase()),
		]);
	}

	/**
	 * Throws an error: 403 for a request that a web page may have sent, 400 for two Host headers, because a proxy may have checked the other
	 * one.
	 */
	checkHost(request: IncomingMessage): void {
		if (hasTwoHosts(request.rawHeaders)) {
			throw new ServiceFault(400, localizable`The request has more than one Host header.`);
		}
		const host = request.headers.host ?? '';
		if (host === this.#last) {
			return;
		}
		const name = parseHostName(host);
		const known = this.#names.has(name) || (!loopback.has(this.#bound) && isIP(name) !== 0);
		if (!known) {
			throw new ServiceFault(
				403,
				localizable`The Host header '${host.slice(0, 100)}' isn't allowed. Expected '${this.#bound}' or a name set by --allow-host.`,
			);
		}
		this.#last = host;
	}

	/** The last accepted Host, because clients usually send the same one again. */
	#last: string | undefined;
}

/**
 * True if a request has two Host headers, which must be refused (RFC 9112, 3.2). Node only exposes the first.
 * @param headers alternating names and values
 */
function hasTwoHosts(headers: readonly string[]): boolean {
	let hosts = 0;
	for (let i = 0; i < headers.length; i += 2) {
		const name = headers[i] as string;
		hosts += name.length === 4 && name.toLowerCase() === 'host' ? 1 : 0;
	}
	return hosts > 1;
}

/** Returns the host name in a Host header in lower case, without port and brackets. */
function parseHostName(host: string): string {
	const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::\d+)?$/i.exec(host);
	return (match?.[1] ?? match?.[2] ?? '').toLowerCase();
}
