import type { Path } from '#agentFile/agentText.ts';
import type { FormSection, NodeFormField } from './formTypes.ts';

/** A problem in a node's `data`; `path` is relative to it. */
export interface DataFault {
	readonly path: Path;
	readonly message: string;
}

/** Attaches each problem to the innermost field at its path. Returns the new sections, and the messages that belong to no field. */
export function withFaults(
	sections: readonly FormSection[],
	faults: readonly DataFault[],
): { readonly sections: readonly FormSection[]; readonly rest: readonly string[] } {
	const owned = new Set(sections.flatMap(({ fields }) => fields.flatMap(keysIn)));
	const messages = new Map<string, string[]>();
	const rest: string[] = [];
	for (const { path, message } of faults) {
		const owner = path.map((_, at) => keyOf(path.slice(0, path.length - at))).find(key => owned.has(key));
		if (owner === undefined) {
			rest.push(message);
		} else {
			messages.set(owner, [...(messages.get(owner) ?? []), message]);
		}
	}
	const given = (field: NodeFormField): NodeFormField => ({
		...field,
		...innerGiven(field, given),
		faults: messages.get(keyOf(field.path)) ?? [],
	});
	return { sections: sections.map(section => ({ ...section, fields: section.fields.map(given) })), rest };
}

export function innerFields(field: NodeFormField): readonly NodeFormField[] {
	switch (field.kind) {
		case 'group':
			return field.fields;
		case 'list':
			return field.items;
		case 'map':
			return field.entries;
		default:
			return [];
	}
}

function innerGiven(field: NodeFormField, given: (field: NodeFormField) => NodeFormField): object {
	switch (field.kind) {
		case 'group':
			return { fields: field.fields.map(given) };
		case 'list':
			return { items: field.items.map(given) };
		case 'map':
			return { entries: field.entries.map(given) };
		default:
			return {};
	}
}

function keysIn(field: NodeFormField): readonly string[] {
	return [keyOf(field.path), ...innerFields(field).flatMap(keysIn)];
}

function keyOf(path: Path): string {
	return JSON.stringify(path);
}
