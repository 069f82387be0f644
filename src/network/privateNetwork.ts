import dns from 'node:dns';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';

/** Thrown for an address in a private network, which nodes may not reach unless the gateway's user allows it. */
export class PrivateAddressError extends Error {
	override readonly name = 'PrivateAddressError';

	constructor(host: string, address: string) {
		super(
			`${host === address ? host : `${host} (${address})`} is on a private network, which HTTP requests can't reach unless agentWorkbench.gateway.allowPrivateNetwork ('allow_private_network' in a gateway's configuration) is on`,
		);
	}
}

/** Loopback, private, link-local, carrier and reserved ranges (RFC 6890 and its IPv6 counterpart), and IPv4 tunnels. */
const blocked = new BlockList();
for (const [network, prefix] of [
	['0.0.0.0', 8],
	['10.0.0.0', 8],
	['100.64.0.0', 10],
	['127.0.0.0', 8],
	['169.254.0.0', 16],
	['172.16.0.0', 12],
	['192.0.0.0', 24],
	['192.0.2.0', 24],
	['192.88.99.0', 24],
	['192.168.0.0', 16],
	['198.18.0.0', 15],
	['198.51.100.0', 24],
	['203.0.113.0', 24],
	['224.0.0.0', 4],
	['240.0.0.0', 4],
] as const) {
	blocked.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
	['::', 128],
	['::1', 128],
	['::', 96],
	['64:ff9b::', 96],
	['64:ff9b:1::', 48],
	['100::', 64],
	['2001::', 23],
	['2001:db8::', 32],
	['2002::', 16],
	['fc00::', 7],
	['fe80::', 10],
	['fec0::', 10],
	['ff00::', 8],
] as const) {
	blocked.addSubnet(network, prefix, 'ipv6');
}

/** True if an address isn't on the public internet. IPv4 addresses embedded in IPv6 are checked as IPv4. */
export function isPrivateAddress(address: string): boolean {
	const plain = (address.split('%')[0] as string).toLowerCase();
	// BlockList checks ::ffff:a.b.c.d against the IPv4 ranges
	return blocked.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
}

/** @throws {PrivateAddressError} if the host is a private IP address; names are checked during lookup */
export function checkLiteralAddress(hostname: string): void {
	const address = hostname.replace(/^\[|\]$/g, '');
	checkAddressOfHost(address, address);
}

/** @throws {PrivateAddressError} if the address is a private IP address */
export function checkAddressOfHost(host: string, address: string): void {
	if (isIP(address) && isPrivateAddress(address)) {
		throw new PrivateAddressError(host, address);
	}
}

/**
 * Checks the addresses of a name before using it through a proxy. Names that this machine can't look up are allowed.
 * @throws {PrivateAddressError}
 */
export async function checkHostName(hostname: string): Promise<void> {
	const addresses = await dns.promises.lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
	const refused = addresses.find(({ address }) => isPrivateAddress(address));
	if (refused) {
		throw new PrivateAddressError(hostname, refused.address);
	}
}

/**
 * Looks up a name and returns only checked addresses, so that the connection uses a checked address even if the name changes in the
 * meantime (DNS rebinding). Refuses a name if any of its addresses is private.
 */
export const lookUpPublicAddress: LookupFunction = (hostname, options, callback) => {
	dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
		if (error) {
			callback(error, '', 0);
			return;
		}
		const refused = addresses.find(({ address }) => isPrivateAddress(address));
		if (refused) {
			callback(new PrivateAddressError(hostname, refused.address), '', 0);
		} else if (options.all) {
			callback(null, addresses);
		} else {
			const [first] = addresses;
			callback(null, first?.address ?? '', first?.family);
		}
	});
};
