import type { Memento } from 'vscode';
import type { DifyLink } from '#dify/linkTypes.ts';

const memoryKey = 'agentWorkbench.difyPushes';
/** Consents that are kept, the last ones. */
const most = 500;

/**
 * To which app each file may be pushed without asking anew. A sidecar file is content of the workspace, which anyone can write: who the user agreed to is
 * remembered by the editor, for this workspace, and never in a file.
 */
export class PushConsents {
	readonly #memory: Memento;

	constructor(memory: Memento) {
		this.#memory = memory;
	}

	/** Whether the user agreed that this agent file (its URI) goes to the app that its sidecar names now. */
	has(file: string, link: DifyLink): boolean {
		return this.#list().includes(keyOf(file, link));
	}

	async add(file: string, link: DifyLink): Promise<void> {
		const key = keyOf(file, link);
		await this.#memory.update(memoryKey, [...this.#list().filter(each => each !== key), key].slice(-most));
	}

	#list(): readonly string[] {
		const kept: unknown = this.#memory.get(memoryKey);
		return Array.isArray(kept) ? kept.filter(each => typeof each === 'string') : [];
	}
}

function keyOf(file: string, { origin, workspace_id, app_id }: DifyLink): string {
	return JSON.stringify([file, origin, workspace_id, app_id]);
}
