import type * as vscode from 'vscode';

/** An editor's memory of a workspace. */
export class MemoryState implements vscode.Memento {
	readonly #values = new Map<string, unknown>();
	keys(): readonly string[] {
		return [...this.#values.keys()];
	}
	get<T>(key: string, fallback?: T): T {
		return (this.#values.has(key) ? this.#values.get(key) : fallback) as T;
	}
	async update(key: string, value: unknown): Promise<void> {
		this.#values.set(key, value);
	}
}
