import { randomUUID } from 'node:crypto';
import type { FakeApp, Fields } from '../state.ts';

/** A variable of a draft run, to read or change before running a single node. */
export interface FakeDraftVariable {
	readonly id: string;
	readonly type: 'node' | 'conversation' | 'sys';
	readonly selector: readonly [string, string];
	readonly valueType: string;
	value: unknown;
	/** Value that the run set, before it was edited. */
	readonly first: unknown;
	edited: boolean;
}

interface Memory {
	variables: FakeDraftVariable[];
	readonly lastRuns: Map<string, Fields>;
}

/** Results of each app's draft runs. */
export class DraftMemory {
	readonly #apps = new Map<string, Memory>();

	getMemory(app: FakeApp): Memory {
		let memory = this.#apps.get(app.id);
		if (!memory) {
			memory = { variables: [], lastRuns: new Map() };
			this.#apps.set(app.id, memory);
		}
		return memory;
	}

	/** Saves a node execution, and its outputs as variables. */
	saveExecution(app: FakeApp, nodeId: string, execution: Fields): void {
		const memory = this.getMemory(app);
		memory.lastRuns.set(nodeId, execution);
		for (const [name, value] of Object.entries((execution['outputs'] ?? {}) as Fields)) {
			this.setVariable(app, [nodeId, name], value);
		}
	}

	setVariable(app: FakeApp, selector: readonly [string, string], value: unknown): void {
		const memory = this.getMemory(app);
		memory.variables = memory.variables.filter(each => each.selector.join('.') !== selector.join('.'));
		const type = selector[0] === 'sys' ? 'sys' : selector[0] === 'conversation' ? 'conversation' : 'node';
		memory.variables.push({ id: randomUUID(), type, selector, valueType: getValueType(value), value, first: value, edited: false });
	}

	/** Deletes the variables, as an import does. */
	deleteVariables(app: FakeApp): void {
		this.getMemory(app).variables = [];
	}
}

function getValueType(value: unknown): string {
	return Array.isArray(value) ? 'array[any]' : value === null ? 'none' : typeof value;
}
