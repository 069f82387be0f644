/** An error for a template that can't be parsed or rendered. Any other error is a bug in this engine, and its message is never shown. */
export class TemplateError extends Error {
	override readonly name = 'TemplateError';
	/** True if the message already names the position in the template. */
	readonly placed: boolean;

	constructor(message: string, placed = false) {
		super(message);
		this.placed = placed;
	}
}

const maxSource = 200;

/** Adds the part of the template that failed to an error's message. */
export function addTemplatePosition(error: unknown, source: string, line: number): unknown {
	if (error instanceof TemplateError ? error.placed : !isEngineBug(error)) {
		return error;
	}
	const shown = source.length > maxSource ? `${source.slice(0, maxSource)}…` : source;
	const message = error instanceof TemplateError ? error.message : describeEngineBug(error as Error);
	return new TemplateError(`${message} (line ${line}: ${shown})`, true);
}

/** True for JavaScript's built-in errors: they are bugs in this engine, and their messages say nothing about the template. */
function isEngineBug(error: unknown): boolean {
	return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError || error instanceof SyntaxError;
}

function describeEngineBug(error: Error): string {
	return /call stack/.test(error.message) ? 'values or calls are nested too deeply' : "this expression can't be evaluated";
}
