/** What the built-in gateway tells of a dataset that its agents search (beyond the contract). Counts are those of folders. */
export interface DatasetStatus {
	readonly id: string;
	readonly name: string;
	readonly kind: 'folder' | 'dify';
	/** Absolute path. */
	readonly folder?: string;
	readonly state: 'indexing' | 'ready' | 'failed';
	/** Documents that are or will be searched. */
	readonly documents?: number;
	/** Documents whose file has still to be read. */
	readonly waiting?: number;
	/** Files of a kind or size that is not read. */
	readonly left_out?: number;
	readonly failed?: number;
	readonly segments?: number;
	/** Segments with a vector. */
	readonly embedded?: number;
	/** Sentences on what cannot be searched. */
	readonly notes: readonly string[];
	readonly problems: readonly { readonly path: string; readonly problem: string }[];
}

/** All datasets of a gateway. */
export interface DatasetList {
	readonly data: DatasetStatus[];
}
