/** Inputs that a run cannot take; `message` is what the hosted service answers with 400 `invalid_param` (wire facts 1.6). */
export class InputError extends Error {
	override readonly name = 'InputError';
	/** Variable that is wrong. */
	readonly variable: string;

	constructor(variable: string, message: string) {
		super(message);
		this.variable = variable;
	}
}
