import { isRecord } from '#base/records/plainValues.ts';
import type { Selector } from '../agentFile/agentTypes.ts';
import { fileMembers, getFileMember } from './fileMember.ts';
import { isFileValue } from './fileValue.ts';
import { Float, toPlainValue, toPlainValues } from './float.ts';
import { getSegmentType } from './segmentType.ts';
import type { VariableLog } from './variableLog.ts';

/**
 * Outputs of nodes, by node ID and variable; `sys`, `env` and `conversation` are stored like nodes. An iteration of an iteration node has
 * a copy of the enclosing pool: its changes stay inside, except for conversation variables. Iterations of a loop share the enclosing pool.
 */
export class VariablePool {
	readonly #values = new Map<string, Readonly<Record<string, unknown>>>();
	readonly #types = new Map<string, Readonly<Record<string, string>>>();
	readonly #outer: VariablePool | undefined;
	readonly #log: VariableLog | undefined;
	#start: string | undefined;

	/** @param log log of the writes to this pool and its copies, for a debugger */
	constructor(outer?: VariablePool, log?: VariableLog) {
		this.#outer = outer;
		this.#log = log;
	}

	/** Returns a copy-on-write copy. */
	static createCopy(outer: VariablePool): VariablePool {
		return new VariablePool(outer, outer.#log);
	}

	/** Returns a copy with the values at an earlier position of the log. @param copies copies made so far for this position */
	copyAt(position: number, copies: Map<VariablePool, VariablePool>): VariablePool {
		const known = copies.get(this);
		if (known) {
			return known;
		}
		const copy = new VariablePool(this.#outer?.copyAt(position, copies));
		copies.set(this, copy);
		copy.#start = this.#start;
		for (const [node, values] of this.#log?.getValuesAt(this.#values, position) ?? this.#values) {
			copy.#values.set(node, values);
		}
		for (const [node, types] of this.#types) {
			copy.#types.set(node, types);
		}
		return copy;
	}

	/** Returns `undefined` if there is no such value. An existing value can be null, which is different (workflow DSL, if-else). */
	get(selector: Selector): unknown {
		return toPlainValue(this.getExactValue(selector));
	}

	/** Like {@link get}, but returns a known float as a {@link Float}: for text and templates, and to pass it on. */
	getExactValue(selector: Selector): unknown {
		const [node, variable] = selector;
		if (node === undefined || variable === undefined) {
			return undefined;
		}
		let value = this.#lookUpValue(node, variable);
		for (let i = 2; i < selector.length && value !== undefined; i++) {
			value = getValueMember(value, selector[i] as string);
		}
		return value;
	}

	/** Sets all variables of a node, or of `sys`, `env` or `conversation`; values can be a {@link Float}. */
	setAllValues(node: string, values: Readonly<Record<string, unknown>>): void {
		this.#writeValues(node, values);
	}

	/** Sets some variables of a node in this copy and keeps the others. */
	addValues(node: string, values: Readonly<Record<string, unknown>>): void {
		this.#writeValues(node, { ...this.#getAllExactValues(node), ...values });
	}

	/**
	 * Sets the node that the run starts from. It gets the system variables too, because older files refer to them there (`[start,
	 * sys.query]`).
	 */
	setStartNode(node: string): void {
		this.#start = node;
	}

	/** Sets the declared types of variables of `conversation` or of a loop, which apply whatever the values are. */
	declareTypes(node: string, types: Readonly<Record<string, string>>): void {
		this.#types.set(node, types);
	}

	/** Returns the type of a variable, as named by {@link getSegmentType}: the declared type, or else that of its value. */
	getVariableType(node: string, variable: string): string {
		const declared = this.#getDeclaredType(node, variable);
		// the value decides between integer and float
		return declared === undefined || declared === 'number' ? getSegmentType(this.getExactValue([node, variable])) : declared;
	}

	/** Changes one variable: a conversation variable in the whole run, any other in this copy. */
	assignVariable(node: string, variable: string, value: unknown): void {
		let pool: VariablePool = this;
		while (node === 'conversation' && pool.#outer) {
			pool = pool.#outer;
		}
		pool.addValues(node, { [variable]: value });
	}

	/** Changes one variable in the pool that stores it, so that every pool that reads it from there sees the change. */
	putVariable(node: string, variable: string, value: unknown): void {
		let pool: VariablePool | undefined = this;
		while (pool && !pool.#hasValue(node, variable)) {
			pool = pool.#outer;
		}
		const owner = pool ?? this;
		owner.#writeValues(node, { ...owner.#values.get(node), [variable]: value });
	}

	/** Returns the IDs of all nodes with outputs, including `sys`, `env` and `conversation`. */
	listNodeIds(): readonly string[] {
		return [...new Set([...(this.#outer?.listNodeIds() ?? []), ...this.#values.keys()])];
	}

	/** Returns the values in this pool itself, by node. */
	toEntries(): Record<string, Readonly<Record<string, unknown>>> {
		return Object.fromEntries([...this.#values].map(([node, values]) => [node, toPlainValues(values)]));
	}

	/** Removes the outputs of a node. */
	removeNode(node: string): void {
		if (this.#values.has(node)) {
			this.#log?.addWrite(this.#values, node, undefined);
			this.#values.delete(node);
		}
	}

	/** Returns all variables of a node; empty if it has no outputs. */
	getAllValues(node: string): Readonly<Record<string, unknown>> {
		return toPlainValues(this.#getAllExactValues(node));
	}

	#writeValues(node: string, values: Readonly<Record<string, unknown>>): void {
		this.#log?.addWrite(this.#values, node, values);
		this.#values.set(node, values);
	}

	#getAllExactValues(node: string): Readonly<Record<string, unknown>> {
		const outer = this.#outer;
		return this.#values.get(node) ?? (outer ? outer.#getAllExactValues(node) : {});
	}

	#getDeclaredType(node: string, variable: string): string | undefined {
		let pool: VariablePool | undefined = this;
		while (pool && !pool.#types.has(node)) {
			pool = pool.#outer;
		}
		return pool === undefined ? undefined : pool.#types.get(node)?.[variable];
	}

	#lookUpValue(node: string, variable: string): unknown {
		let pool: VariablePool | undefined = this;
		while (pool) {
			if (pool.#hasValue(node, variable)) {
				return pool.#values.get(node)?.[variable];
			}
			if (node === pool.#start && variable.startsWith(systemPrefix)) {
				return pool.#lookUpValue('sys', variable.slice(systemPrefix.length));
			}
			pool = pool.#outer;
		}
		return undefined;
	}

	#hasValue(node: string, variable: string): boolean {
		const values = this.#values.get(node);
		return values !== undefined && Object.hasOwn(values, variable);
	}
}

const systemPrefix = 'sys.';

/** Returns system variables by their names as variables of the start node: `sys.query`, `sys.user_id`, … */
export function addSystemPrefix(system: Readonly<Record<string, unknown>>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(system).map(([name, value]) => [`${systemPrefix}${name}`, value]));
}

/** Reads own properties of objects, and indexes of nothing else: agent files only access members of objects and files. */
function getValueMember(value: unknown, key: string): unknown {
	if (isFileValue(value)) {
		return fileMembers.has(key) ? getFileMember(value, key) : undefined;
	}
	if (!isRecord(value) || value instanceof Float || !Object.hasOwn(value, key)) {
		return undefined;
	}
	return (value as Record<string, unknown>)[key];
}
