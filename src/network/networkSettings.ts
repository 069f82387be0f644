/** How this machine connects to other machines. The editor passes its `http.*` settings. */
export interface NetworkSettings {
	/** `http.proxy`: overrides the proxy variables of the environment. */
	readonly proxy?: string;
	/** `http.noProxy`: overrides the variable `NO_PROXY`. Host names, `.suffixes`, `host:port`, addresses, CIDR ranges, `*`. */
	readonly noProxy?: readonly string[];
	/** `http.proxyStrictSSL`, default true. False accepts any certificate of the proxy and the service. */
	readonly strictSSL?: boolean;
	/** Environment with the proxy variables. Default: `process.env`. */
	readonly environment?: Readonly<Record<string, string | undefined>>;
}
