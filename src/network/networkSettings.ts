/** How this machine reaches others. The editor hands in its `http.*` settings; whoever has none leaves them out. */
export interface NetworkSettings {
	/** `http.proxy`: goes before the proxy variables of the environment. */
	readonly proxy?: string;
	/** `http.noProxy`: goes before the variable `NO_PROXY`. Host names, `.suffixes`, `host:port`, addresses, CIDR ranges, `*`. */
	readonly noProxy?: readonly string[];
	/** `http.proxyStrictSSL`, default true: false accepts any certificate, of proxy and service. */
	readonly strictSSL?: boolean;
	/** Where the proxy variables stand; default `process.env`. */
	readonly environment?: Readonly<Record<string, string | undefined>>;
}
