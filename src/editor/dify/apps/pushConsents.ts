import type { Memento } from 'vscode';
import type { DifyLink } from '#dify/linkTypes.ts';

const memoryKey = 'agentWorkbench.difyPushes';
/** Maximum number of saved consents. The oldest are dropped. */
const most = 500;

/**
 * Remembers to which app each file may be pushed without asking again. The editor saves these consents outside the workspace, because
 * anyone may have written the workspace's sidecar files.
 */
export class PushConsents {
	readonly #memory: Memento;

	constructor(memory: Memento) {
		this.#memory = memory;
	}

	/** True if the user agreed to push this agent file (given by its URI) to the app of this link. */
	has(file: string, link: DifyLink): boolean {
		return this.#readConsents().includes(formatKey(file, link));
	}

	async add(file: string, link: DifyLink): Promise<void> {
		const key = formatKey(file, link);
		await this.#memory.update(memoryKey, [...this.#readConsents().filter(each => each !== key), key].slice(-most));
	}

	#readConsents(): readonly string[] {
		const kept: unknown = this.#memory.get(memoryKey);
		return Array.isArray(kept) ? kept.filter(each => typeof each === 'string') : [];
	}
}

function formatKey(file: string, { origin, workspace_id, app_id }: DifyLink): string {
	return JSON.stringify([file, origin, workspace_id, app_id]);
}
