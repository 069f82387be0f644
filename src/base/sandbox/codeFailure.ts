/** An error of a user's code: one that the code has thrown, or a limit that the code has exceeded. */
export class CodeFailure extends Error {
	override readonly name = 'CodeFailure';
}
