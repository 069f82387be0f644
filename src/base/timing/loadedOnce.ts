/** Calling it loads the value. `loaded` is the value once it has been loaded. */
export interface LoadedOnce<T> {
	(): Promise<T>;
	readonly loaded: T | undefined;
}

/** Loads a value on first use and caches it. A failed load rejects for its callers, and the next call retries. */
export function createLazyLoader<T>(load: () => Promise<T>): LoadedOnce<T> {
	let loading: Promise<T> | undefined;
	const loadOnce = Object.assign(
		() => {
			loading ??= load().then(
				loaded => {
					loadOnce.loaded = loaded;
					return loaded;
				},
				(error: unknown) => {
					loading = undefined;
					throw error;
				},
			);
			return loading;
		},
		{ loaded: undefined as T | undefined },
	);
	return loadOnce;
}
