import { randomUUID } from 'node:crypto';
import type { FakeVariable, Fields } from './state.ts';

/** Placeholder that stands for a stored secret, in the console's responses and in a draft that is sent back. */
export const hiddenValue = '[__HIDDEN__]';

/** Reads a variable of a file or of the console; throws if it isn't valid. */
export function parseVariable(entry: Fields, place: 'env' | 'conversation'): FakeVariable {
	for (const [field, words] of [
		['name', 'missing name'],
		['value_type', 'missing value type'],
		['value', 'missing value'],
	] as const) {
		if (entry[field] === undefined || entry[field] === null || (field !== 'value' && entry[field] === '')) {
			throw new Error(words);
		}
	}
	const name = String(entry['name']);
	return {
		id: typeof entry['id'] === 'string' && entry['id'] ? entry['id'] : randomUUID(),
		name,
		value_type: String(entry['value_type']),
		value: entry['value'],
		description: typeof entry['description'] === 'string' ? entry['description'] : '',
		selector: Array.isArray(entry['selector']) && entry['selector'].length > 0 ? entry['selector'].map(String) : [place, name],
	};
}

/**
 * Merges sent variables with stored ones. A hidden value keeps everything of the stored variable with its ID except the name. If two
 * variables have the same name, the last one wins.
 */
export function mergeVariables(sent: readonly FakeVariable[], before: readonly FakeVariable[]): FakeVariable[] {
	const byName = new Map<string, FakeVariable>();
	for (const variable of sent) {
		const kept = variable.value === hiddenValue ? before.find(each => each.id === variable.id) : undefined;
		byName.set(variable.name, kept ? { ...kept, name: variable.name } : variable);
	}
	return [...byName.values()];
}

/** Returns variables for an export: secrets are empty unless requested. */
export function exportVariables(variables: readonly FakeVariable[], withSecrets: boolean): Fields[] {
	return variables.map(each => ({ ...each, value: each.value_type === 'secret' && !withSecrets ? '' : each.value }));
}

/** Returns variables for the console. Every secret has the same mask, even an empty one. */
export function maskVariables(variables: readonly FakeVariable[]): Fields[] {
	return variables.map(({ selector: _, ...each }) => ({ ...each, value: each.value_type === 'secret' ? hiddenMask : each.value }));
}

/** The console's mask for secrets. */
export const hiddenMask = '*'.repeat(20);
