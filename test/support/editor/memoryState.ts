import type * as vscode from 'vscode';

/** Workspace state that outlives a window; reads return copies. */
export class MemoryState implements vscode.Memento {
	readonly #values = new Map<string, string>();

	keys(): readonly string[] {
		return [...this.#values.keys()];
	}
	get<T>(key: string, fallback?: T): T {
		const text = this.#values.get(key);
		return (text === undefined ? fallback : JSON.parse(text)) as T;
	}
	async update(key: string, value: unknown): Promise<void> {
		if (value === undefined) {
			this.#values.delete(key);
		} else {
			this.#values.set(key, JSON.stringify(value));
		}
	}
}
