// undici ships types for its index alone, and its index is not ours to load (DESIGN, decision 2). Its Agent is declared in src/client.
declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
	const EnvHttpProxyAgent: typeof import('undici/types/env-http-proxy-agent.d.ts').default;
	export = EnvHttpProxyAgent;
}
