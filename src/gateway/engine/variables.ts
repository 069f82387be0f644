import type { Selector } from './agentTypes.ts';

/**
 * Values that nodes have put out, by node ID and variable; `sys`, `env` and `conversation` are held like nodes. A round of an iteration
 * or loop has a pool of its own on top of that around it: what it writes stays inside, what is outside can be read.
 */
export class VariablePool {
	readonly #values = new Map<string, Readonly<Record<string, unknown>>>();
	readonly #outer: VariablePool | undefined;

	constructor(outer?: VariablePool) {
		this.#outer = outer;
	}

	/** `undefined`: there is no such value. A value can be null, which is something else (workflow DSL, if-else). */
	get(selector: Selector): unknown {
		const [node, variable] = selector;
		if (node === undefined || variable === undefined) {
			return undefined;
		}
		let value = this.#lookUp(node, variable);
		for (let i = 2; i < selector.length && value !== undefined; i++) {
			value = member(value, selector[i] as string);
		}
		return value;
	}

	/** Sets all variables of a node, or of `sys`, `env` or `conversation`. */
	setAll(node: string, values: Readonly<Record<string, unknown>>): void {
		this.#values.set(node, values);
	}

	/** Changes one variable where it is held: a conversation variable, or that of the loop around. */
	assign(node: string, variable: string, value: unknown): void {
		let pool: VariablePool = this;
		while (!pool.#holds(node, variable) && pool.#outer) {
			pool = pool.#outer;
		}
		pool.#values.set(node, { ...pool.#values.get(node), [variable]: value });
	}

	/** All variables of a node; empty if it has put out nothing. */
	all(node: string): Readonly<Record<string, unknown>> {
		return this.#values.get(node) ?? this.#outer?.all(node) ?? {};
	}

	/** Makes what a round has put out visible outside (loops; workflow DSL, "loop"). */
	publish(nodes: Iterable<string>): void {
		for (const node of nodes) {
			const values = this.#values.get(node);
			if (values) {
				this.#outer?.setAll(node, values);
			}
		}
	}

	#lookUp(node: string, variable: string): unknown {
		let pool: VariablePool | undefined = this;
		while (pool) {
			if (pool.#holds(node, variable)) {
				return pool.#values.get(node)?.[variable];
			}
			pool = pool.#outer;
		}
		return undefined;
	}

	#holds(node: string, variable: string): boolean {
		const values = this.#values.get(node);
		return values !== undefined && Object.hasOwn(values, variable);
	}
}

/** Own members of objects, and indexes of nothing else: agent files walk into objects and files only. */
function member(value: unknown, key: string): unknown {
	if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, key)) {
		return undefined;
	}
	return (value as Record<string, unknown>)[key];
}
