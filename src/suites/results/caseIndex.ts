import { hashContent } from '#base/files/contentHash.ts';
import type { CaseResult } from './caseResult.ts';

/** Fields that identify a case in the results of different batches. */
export type CaseIdentity = Pick<CaseResult, 'name' | 'row' | 'variant'> & { readonly rowHash?: string | undefined };

interface Entry<T> {
	readonly name: string;
	readonly value: T;
	/** Number of the row that has found this entry by its name alone. */
	finder?: number | undefined;
}

/**
 * Values by case, to be found for the same cases of another batch. A row is found by its name, or by its values if it has no name or shares
 * it with other rows. Its number changes when a row is added before it.
 */
export class CaseIndex<T> {
	/** Entries by key, hash of the row, and number of the row. */
	readonly #entries = new Map<string, Map<string | undefined, Map<number | undefined, Entry<T>>>>();

	/** Adds the value of a case, which replaces an earlier one of the same case or row. */
	add(identity: CaseIdentity, value: T): void {
		const { name, row, rowHash } = identity;
		const named = getOrCreate(this.#entries, getKey(identity), () => new Map());
		getOrCreate(named, rowHash, () => new Map()).set(row, { name, value });
	}

	find(identity: CaseIdentity): T | undefined {
		const { row, rowHash } = identity;
		const named = this.#entries.get(getKey(identity)) ?? this.#entries.get(getKey({ ...identity, rowHash: undefined }));
		const alike = named?.get(rowHash);
		const known = alike?.get(row) ?? alike?.values().next().value;
		if (row === undefined || known || named?.size !== 1) {
			return known?.value;
		}
		const [rows] = named.values();
		const [only] = rows!.values();
		if (!only || rows!.size > 1) {
			return undefined;
		}
		// a row with new values that has kept its name; a second row of this name is another one
		only.finder ??= row;
		return only.finder === row ? only.value : undefined;
	}

	/** Names and values of all cases. */
	get entries(): readonly Pick<Entry<T>, 'name' | 'value'>[] {
		return [...this.#entries.values()].flatMap(named => [...named.values()].flatMap(alike => [...alike.values()]));
	}
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, create: () => V): V {
	const value = map.get(key) ?? create();
	map.set(key, value);
	return value;
}

/** Hashes the values of a row, in any order of columns. */
export function hashRow(values: Readonly<Record<string, unknown>>): string {
	return hashContent(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))).slice(0, 16);
}

/** Returns the key of a case. It contains the hash of a row whose only name is its number. */
function getKey(identity: CaseIdentity): string {
	const { name, row, rowHash, variant = '' } = identity;
	const kind = row === undefined ? 'case' : isUnnamedRow(identity) ? 'values' : 'row';
	return `${kind}\0${kind === 'values' ? rowHash : name}\0${variant}`;
}

/** True for a row without a name whose values are known. Results of older versions don't have the values. */
export function isUnnamedRow({ name, row, rowHash }: CaseIdentity): boolean {
	return rowHash !== undefined && name === `row ${row}`;
}
