import type { JsonSchema } from '#base/text/schemaCheck.ts';

/** Names that only the engine knows: the schema of agent files is made with them. */
export type EngineNames = 'comparisons' | 'metadataComparisons' | 'operations' | 'tools';

/** What the schema says of one field beyond the engine's own. A string is its description. */
export type Word =
	| string
	| {
			readonly text: string;
			/** Values that the engine knows: another one is a warning. */
			readonly known?: readonly string[] | EngineNames;
			/** Values to choose from; others are as good. */
			readonly examples?: readonly string[] | EngineNames;
			readonly refers?: NonNullable<JsonSchema['refers']>;
			readonly takes?: readonly string[];
			readonly form?: NonNullable<JsonSchema['form']>;
			readonly rare?: true;
			/** Schema of a field that the engine does not read, for completion: the hosted service has it. */
			readonly field?: JsonSchema;
	  };

/** Words by the path of the field: `prompt_template[].role`; `*` stands for any name. */
export type Words = Readonly<Record<string, Word>>;

/** Words of the fields of a part, by their paths from a whole. */
export function under(path: string, words: Words): Words {
	return Object.fromEntries(Object.entries(words).map(([inner, word]) => [`${path}.${inner}`, word]));
}

/** Descriptions of node types and of their fields, for the schema of agent files alone: functions, so that no program that is shipped holds them. */
export type KindWords = Readonly<Record<string, { readonly text: string; readonly fields: Words }>>;
