export interface ProviderSettings {
	/** Model name at the service. */
	readonly model: string;
	/** URL without the provider's path and without a trailing slash. */
	readonly base: string;
	readonly key?: string;
	/** True if the key goes into `Authorization` instead of the provider's header. */
	readonly bearer: boolean;
	readonly fetch: typeof globalThis.fetch;
	/** Called with a description of what the service refused in a request. */
	readonly onLost: (sentence: string) => void;
}
