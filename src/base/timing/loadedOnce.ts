/**
 * What is loaded on its first use, and the same for all uses after. A load that fails fails for those who wait for it, and is tried again by the next.
 */
export function loadedOnce<T>(load: () => Promise<T>): () => Promise<T> {
	let loading: Promise<T> | undefined;
	return () => {
		loading ??= load().catch((error: unknown) => {
			loading = undefined;
			throw error;
		});
		return loading;
	};
}
