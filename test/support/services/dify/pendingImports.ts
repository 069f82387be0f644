import type { ImportAsked } from './appImport.ts';

/** Imports waiting for confirmation, for ten minutes each. */
export class PendingImports {
	readonly #kept = new Map<string, { readonly asked: ImportAsked; readonly until: number }>();

	add(id: string, asked: ImportAsked, now: number): void {
		this.#kept.set(id, { asked, until: now + 600 });
	}

	/** Returns the pending import with an ID; `undefined` if there is none or it has expired. */
	findImport(id: string, now: number): ImportAsked | undefined {
		const kept = this.#kept.get(id);
		return kept && kept.until > now ? kept.asked : undefined;
	}

	delete(id: string): void {
		this.#kept.delete(id);
	}
}
