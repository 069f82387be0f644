import type { JsonSchema } from '#base/text/schemaCheck.ts';

interface FieldInsert {
	/** Replacement text; for snippets, with `$1` and so on. */
	readonly insert: string;
	readonly isSnippet: boolean;
	/** True if the next completion should open immediately. */
	readonly continues: boolean;
}

/** Returns the text that completes the name of a field, up to where its value starts. */
export function formatFieldInsert(name: string, field: JsonSchema, flow: boolean): FieldInsert {
	const [type] = [field.type].flat();
	const isChoice = Boolean(
		field.enum || field.known || field.examples || field.refers || type === 'boolean' || (name === 'type' && type === 'string'),
	);
	if (!flow && !field.refers && (type === 'object' || (type === 'array' && !field.items?.refers))) {
		return { insert: `${name}:\n\t${type === 'array' ? '- ' : ''}$0`, isSnippet: true, continues: true };
	}
	return { insert: `${name}: `, isSnippet: false, continues: isChoice };
}

/** Formats the type of a field; empty for a choice. */
export function formatFieldType({ type, numeric, enum: values }: JsonSchema): string {
	return values
		? ''
		: (numeric ??
				[type]
					.flat()
					.filter(each => each && each !== 'null')
					.join(' | '));
}
