import net from 'node:net';
import type { NetworkSettings } from './networkSettings.ts';

/** Thrown if a proxy setting isn't a URL. Doesn't include the setting, because it can contain a password. */
class ProxyAddressError extends Error {
	override readonly name = 'ProxyAddressError';
	readonly code = 'ERR_PROXY_ADDRESS';

	constructor() {
		super("The proxy in the settings or the environment isn't an http://, https:// or socks5:// URL.");
	}
}

/**
 * Returns the proxy for an origin, or `undefined` for a direct connection. Loopback never uses a proxy.
 * @throws {ProxyAddressError}
 */
export function findProxy(origin: URL, settings: NetworkSettings): URL | undefined {
	const environment = settings.environment ?? process.env;
	const getVariable = (name: string) => environment[name.toLowerCase()] || environment[name];
	const proxy =
		settings.proxy || getVariable(origin.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') || getVariable('ALL_PROXY') || undefined;
	if (proxy === undefined || isLoopback(origin.hostname)) {
		return undefined;
	}
	const exceptions = settings.noProxy?.length ? settings.noProxy : (getVariable('NO_PROXY') ?? '').split(/[\s,]+/);
	return exceptions.some(exception => matchesNoProxyRule(exception, origin)) ? undefined : parseProxy(proxy);
}

function parseProxy(text: string): URL {
	if (!isProxyAddress(text)) {
		throw new ProxyAddressError();
	}
	return new URL(addScheme(text));
}

/** True if a text is a valid proxy address. */
export function isProxyAddress(text: string): boolean {
	return /^(https?|socks5?):$/.test(URL.parse(addScheme(text))?.protocol ?? '');
}

function addScheme(text: string): string {
	return text.includes('://') ? text : `http://${text}`;
}

/** True if a host name (as in `URL.hostname`) always means this machine. */
export function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function matchesNoProxyRule(exception: string, origin: URL): boolean {
	const rule = exception.trim().toLowerCase();
	if (rule === '' || rule === '*') {
		return rule === '*';
	}
	const address = origin.hostname.replace(/^\[|\]$/g, '');
	const family = net.isIP(address);
	const [network, bits] = rule.split('/');
	if (bits !== undefined && family !== 0 && net.isIP(network!) === family) {
		const range = new net.BlockList();
		range.addSubnet(network!, Number(bits), family === 6 ? 'ipv6' : 'ipv4');
		return range.check(address, family === 6 ? 'ipv6' : 'ipv4');
	}
	const port = /^(.*):(\d+)$/.exec(rule);
	if (port && net.isIP(rule) === 0) {
		const given = origin.port || (origin.protocol === 'https:' ? '443' : '80');
		return port[2] === given && matchesNoProxyRule(port[1]!, origin);
	}
	const name = rule.replace(/^\*?\./, '').replace(/^\[|\]$/g, '');
	return address === name || (family === 0 && address.endsWith(`.${name}`));
}

/** Yields the passwords of all possible proxies, as written and decoded, because they must not be shown. */
export function* listProxyPasswords({ proxy, environment = process.env }: NetworkSettings): Generator<string> {
	const variables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap(name => [environment[name], environment[name.toLowerCase()]]);
	for (const text of [proxy, ...variables]) {
		const url = text && URL.parse(addScheme(text));
		if (url && url.password !== '') {
			yield url.password;
			yield tryPercentDecode(url.password);
		}
	}
}

/** Percent-decodes a text. Returns the text unchanged if it's invalid, because passwords may contain a bare "%". */
export function tryPercentDecode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
