/** How this machine connects to others. The editor passes its `http.*` settings. */
export interface NetworkSettings {
	/** `http.proxy`: overrides the proxy variables of the environment. */
	readonly proxy?: string;
	/** `http.noProxy`: overrides the variable `NO_PROXY`. Host names, `.suffixes`, `host:port`, addresses, CIDR ranges, `*`. */
	readonly noProxy?: readonly string[];
	/** `http.proxyStrictSSL`, default true: false accepts any certificate, of proxy and service. */
	readonly strictSSL?: boolean;
	/** Environment with the proxy variables; default `process.env`. */
	readonly environment?: Readonly<Record<string, string | undefined>>;
}
