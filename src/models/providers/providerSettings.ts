/** What a provider needs to make a model. */
export interface ProviderSettings {
	/** Name at the service. */
	readonly model: string;
	/** Address without the provider's own path, and without a slash at its end. */
	readonly base: string;
	readonly key?: string;
	/** Whether the key goes into `Authorization` instead of the provider's own header. */
	readonly bearer: boolean;
	readonly fetch: typeof globalThis.fetch;
	/** Hears in a sentence what of a request the service did not take. */
	readonly lost: (sentence: string) => void;
}
