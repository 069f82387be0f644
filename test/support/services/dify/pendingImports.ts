import type { ImportAsked } from './appImport.ts';

/** Imports that wait to be confirmed, each for ten minutes. */
export class PendingImports {
	readonly #kept = new Map<string, { readonly asked: ImportAsked; readonly until: number }>();

	keep(id: string, asked: ImportAsked, now: number): void {
		this.#kept.set(id, { asked, until: now + 600 });
	}

	/** What waits under an id; `undefined` where it never did or no longer does. */
	waiting(id: string, now: number): ImportAsked | undefined {
		const kept = this.#kept.get(id);
		return kept && kept.until > now ? kept.asked : undefined;
	}

	forget(id: string): void {
		this.#kept.delete(id);
	}
}
