import type { Selector } from '../agentFile/agentTypes.ts';

/** Error of a node. `type` is shown as `error_type` (workflow DSL, "Failure handling"). */
export class NodeError extends Error {
	override readonly name = 'NodeError';
	readonly type: string;

	constructor(message: string, type: string, options?: ErrorOptions) {
		super(message, options);
		this.type = type;
	}
}

/** Thrown if a node refers to a variable that doesn't exist. */
export class MissingVariableError extends NodeError {
	readonly selector: Selector;

	constructor(selector: Selector, message: string, type: string) {
		super(message, type);
		this.selector = selector;
	}
}
