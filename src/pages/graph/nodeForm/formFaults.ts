import type { Path } from '#agentFile/agentText.ts';
import type { FormSection, NodeFormField } from './formTypes.ts';

/** A problem in a node's `data`; `path` is relative to it. */
export interface DataFault {
	readonly path: Path;
	readonly message: string;
}

/**
 * Attaches each problem to the innermost field at its path. Returns the new sections, and the messages of problems that belong to no field.
 */
export function attachFaults(
	sections: readonly FormSection[],
	faults: readonly DataFault[],
): { readonly sections: readonly FormSection[]; readonly rest: readonly string[] } {
	const owned = new Set(sections.flatMap(({ fields }) => fields.flatMap(collectPathKeys)));
	const messages = new Map<string, string[]>();
	const rest: string[] = [];
	for (const { path, message } of faults) {
		const owner = path.map((_, at) => toPathKey(path.slice(0, path.length - at))).find(key => owned.has(key));
		if (owner === undefined) {
			rest.push(message);
		} else {
			messages.set(owner, [...(messages.get(owner) ?? []), message]);
		}
	}
	const attachToField = (field: NodeFormField): NodeFormField => ({
		...field,
		...mapInnerFields(field, attachToField),
		faults: messages.get(toPathKey(field.path)) ?? [],
	});
	return { sections: sections.map(section => ({ ...section, fields: section.fields.map(attachToField) })), rest };
}

export function getInnerFields(field: NodeFormField): readonly NodeFormField[] {
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

function mapInnerFields(field: NodeFormField, given: (field: NodeFormField) => NodeFormField): object {
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

function collectPathKeys(field: NodeFormField): readonly string[] {
	return [toPathKey(field.path), ...getInnerFields(field).flatMap(collectPathKeys)];
}

function toPathKey(path: Path): string {
	return JSON.stringify(path);
}
