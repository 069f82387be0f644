/** A row of a dataset, or why it cannot be read. */
export type DatasetRow =
	| {
			/** From 1; rows that cannot be read count. */
			readonly row: number;
			/** Where it begins, from 1. */
			readonly line: number;
			/** By column; texts where the format has no other values. */
			readonly values: Readonly<Record<string, unknown>>;
	  }
	| { readonly row: number; readonly line: number; readonly problem: string };

/** A dataset that cannot be read at all, or no further. */
export class DatasetError extends Error {
	override readonly name = 'DatasetError';
	/** From 1. */
	readonly line: number;

	constructor(message: string, line = 1, options?: ErrorOptions) {
		super(message, options);
		this.line = line;
	}
}
