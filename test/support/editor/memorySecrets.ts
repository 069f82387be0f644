import * as vscode from 'vscode';

/** SecretStorage in memory, which can fail like on a machine without a keyring. */
export class MemorySecrets implements vscode.SecretStorage {
	readonly #values = new Map<string, string>();
	readonly #changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
	readonly onDidChange = this.#changed.event;
	broken = false;

	async keys(): Promise<string[]> {
		this.#failIfBroken();
		return [...this.#values.keys()];
	}
	async get(key: string): Promise<string | undefined> {
		this.#failIfBroken();
		return this.#values.get(key);
	}
	async store(key: string, value: string): Promise<void> {
		this.#failIfBroken();
		this.#values.set(key, value);
		this.#changed.fire({ key });
	}
	async delete(key: string): Promise<void> {
		this.#failIfBroken();
		this.#values.delete(key);
		this.#changed.fire({ key });
	}

	#failIfBroken(): void {
		if (this.broken) {
			throw new Error('no keyring here');
		}
	}
}
