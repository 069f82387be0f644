/** Code that failed: by an error of its own, or by a limit. */
export class CodeFailure extends Error {
	override readonly name = 'CodeFailure';
}
