import { isRecord } from '#base/records/plainValues.ts';
import type { Selector } from '../agentFile/agentTypes.ts';
import { fileMember, fileMembers } from './fileMember.ts';
import { isFileValue } from './fileValue.ts';
import { Float, plainValue, plainValues } from './float.ts';
import { segmentType } from './segmentType.ts';

/**
 * Values that nodes have put out, by node ID and variable; `sys`, `env` and `conversation` are held like nodes. A round of an iteration
 * has a copy of what is around it: what it writes stays inside, but for conversation variables. Rounds of a loop share what is around it.
 */
export class VariablePool {
	readonly #values = new Map<string, Readonly<Record<string, unknown>>>();
	readonly #types = new Map<string, Readonly<Record<string, string>>>();
	readonly #outer: VariablePool | undefined;
	#start: string | undefined;

	constructor(outer?: VariablePool) {
		this.#outer = outer;
	}

	/** A copy that takes no time: what is not written to is read from where it came from. */
	static copyOf(outer: VariablePool): VariablePool {
		return new VariablePool(outer);
	}

	/** `undefined`: there is no such value. A value can be null, which is something else (workflow DSL, if-else). */
	get(selector: Selector): unknown {
		return plainValue(this.exact(selector));
	}

	/** The same, but what is known to be a float is a {@link Float}: for texts and templates, and to pass it on. */
	exact(selector: Selector): unknown {
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

	/** Sets all variables of a node, or of `sys`, `env` or `conversation`; a value can be a {@link Float}. */
	setAll(node: string, values: Readonly<Record<string, unknown>>): void {
		this.#values.set(node, values);
	}

	/** Sets some variables of a node in this copy; the others stay. */
	add(node: string, values: Readonly<Record<string, unknown>>): void {
		this.#values.set(node, { ...this.#all(node), ...values });
	}

	/** Says which node the run starts with: it has the system variables too, as older files select them (`[start, sys.query]`). */
	startWith(node: string): void {
		this.#start = node;
	}

	/** Says which types a file declares for variables of `conversation` or of a loop: they stay, whatever the values are. */
	declare(node: string, types: Readonly<Record<string, string>>): void {
		this.#types.set(node, types);
	}

	/** Type of a variable, as {@link segmentType} names them: as it is declared, else that of its value. */
	typeOf(node: string, variable: string): string {
		const declared = this.#declared(node, variable);
		// whether a number is a whole one is said by its value
		return declared === undefined || declared === 'number' ? segmentType(this.exact([node, variable])) : declared;
	}

	/** Changes one variable: a conversation variable for the whole run, any other in this copy. */
	assign(node: string, variable: string, value: unknown): void {
		let pool: VariablePool = this;
		while (node === 'conversation' && pool.#outer) {
			pool = pool.#outer;
		}
		pool.add(node, { [variable]: value });
	}

	/** Changes one variable where it is kept: for all who read it there. */
	put(node: string, variable: string, value: unknown): void {
		let pool: VariablePool | undefined = this;
		while (pool && !pool.#holds(node, variable)) {
			pool = pool.#outer;
		}
		const owner = pool ?? this;
		owner.#values.set(node, { ...owner.#values.get(node), [variable]: value });
	}

	/** Names of all that have put something out, `sys`, `env` and `conversation` among them. */
	names(): readonly string[] {
		return [...new Set([...(this.#outer?.names() ?? []), ...this.#values.keys()])];
	}

	/** Everything in this pool itself, by node. */
	entries(): Record<string, Readonly<Record<string, unknown>>> {
		return Object.fromEntries([...this.#values].map(([node, values]) => [node, plainValues(values)]));
	}

	/** Forgets what a node has put out. */
	remove(node: string): void {
		this.#values.delete(node);
	}

	/** All variables of a node; empty if it has put out nothing. */
	all(node: string): Readonly<Record<string, unknown>> {
		return plainValues(this.#all(node));
	}

	#all(node: string): Readonly<Record<string, unknown>> {
		const outer = this.#outer;
		return this.#values.get(node) ?? (outer ? outer.#all(node) : {});
	}

	#declared(node: string, variable: string): string | undefined {
		let pool: VariablePool | undefined = this;
		while (pool && !pool.#types.has(node)) {
			pool = pool.#outer;
		}
		return pool === undefined ? undefined : pool.#types.get(node)?.[variable];
	}

	#lookUp(node: string, variable: string): unknown {
		let pool: VariablePool | undefined = this;
		while (pool) {
			if (pool.#holds(node, variable)) {
				return pool.#values.get(node)?.[variable];
			}
			if (node === pool.#start && variable.startsWith(systemPrefix)) {
				return pool.#lookUp('sys', variable.slice(systemPrefix.length));
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

const systemPrefix = 'sys.';

/** Returns system variables by the names that they have as variables of the start node: `sys.query`, `sys.user_id`, … */
export function prefixedSystem(system: Readonly<Record<string, unknown>>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(system).map(([name, value]) => [`${systemPrefix}${name}`, value]));
}

/** Own members of objects, and indexes of nothing else: agent files walk into objects and files only. */
function member(value: unknown, key: string): unknown {
	if (isFileValue(value)) {
		return fileMembers.has(key) ? fileMember(value, key) : undefined;
	}
	if (!isRecord(value) || value instanceof Float || !Object.hasOwn(value, key)) {
		return undefined;
	}
	return (value as Record<string, unknown>)[key];
}
