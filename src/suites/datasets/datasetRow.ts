/** A row of a dataset, or why it can't be read. */
export type DatasetRow =
	| {
			/** Row number from 1, including rows that can't be read. */
			readonly row: number;
			/** First line of the row, from 1. */
			readonly line: number;
			/** Values by column; strings if the format has no other values. */
			readonly values: Readonly<Record<string, unknown>>;
	  }
	| { readonly row: number; readonly line: number; readonly problem: string };

/** A dataset that can't be read, or can't be read beyond a line. */
export class DatasetError extends Error {
	override readonly name = 'DatasetError';
	/** Line of the problem, from 1. */
	readonly line: number;

	constructor(message: string, line = 1, options?: ErrorOptions) {
		super(message, options);
		this.line = line;
	}
}
