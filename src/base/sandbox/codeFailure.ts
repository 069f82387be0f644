/** Code failed, by its own error or by exceeding a limit. */
export class CodeFailure extends Error {
	override readonly name = 'CodeFailure';
}
