/**
 * A batch that can't run: its result file is from another suite or an earlier version, or its agents change while it runs (`changed`), or
 * one of its files can't be read or written (`file`).
 */
export class SuiteRunError extends Error {
	override readonly name = 'SuiteRunError';
	readonly reason: 'changed' | 'file';

	constructor(reason: SuiteRunError['reason'], message: string, options?: ErrorOptions) {
		super(message, options);
		this.reason = reason;
	}
}
