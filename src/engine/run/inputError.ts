/** Invalid inputs of a run; `message` is the one that the hosted service returns with 400 `invalid_param` (wire facts 1.6). */
export class InputError extends Error {
	override readonly name = 'InputError';
	/** Name of the invalid variable. */
	readonly variable: string;

	constructor(variable: string, message: string) {
		super(message);
		this.variable = variable;
	}
}
