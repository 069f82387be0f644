import { randomUUID } from 'node:crypto';
import type { FakeVariable, Fields } from './state.ts';

/** What stands for a stored secret in a draft that is sent back, and in the console's answers. */
export const hiddenValue = '[__HIDDEN__]';

/** A variable of a file or of the console, or why it is none. */
export function variableOf(entry: Fields, place: 'env' | 'conversation'): FakeVariable {
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

/** What is stored when these are sent over what was there: a hidden value keeps the variable of its id, whatever else is said of it but its name; of two with one name the last stays. */
export function storedVariables(sent: readonly FakeVariable[], before: readonly FakeVariable[]): FakeVariable[] {
	const byName = new Map<string, FakeVariable>();
	for (const variable of sent) {
		const kept = variable.value === hiddenValue ? before.find(each => each.id === variable.id) : undefined;
		byName.set(variable.name, kept ? { ...kept, name: variable.name } : variable);
	}
	return [...byName.values()];
}

/** Variables as an export says them: secrets blank unless asked for. */
export function exportedVariables(variables: readonly FakeVariable[], withSecrets: boolean): Fields[] {
	return variables.map(each => ({ ...each, value: each.value_type === 'secret' && !withSecrets ? '' : each.value }));
}

/** Variables as the console says them: every secret as the same mask, also an empty one. */
export function maskedVariables(variables: readonly FakeVariable[]): Fields[] {
	return variables.map(({ selector: _, ...each }) => ({ ...each, value: each.value_type === 'secret' ? hiddenMask : each.value }));
}

/** The mask that the console shows. */
export const hiddenMask = '*'.repeat(20);
