import type { JsonSchema } from '#base/text/schemaCheck.ts';

/** Lists of names in the engine, which are inserted when the schema is generated. */
export type EngineNames = 'comparisons' | 'metadataComparisons' | 'operations' | 'tools';

/** Additions to the engine's schema of a field. A string is its description. */
export type Label =
	| string
	| {
			readonly text: string;
			/** Values that the engine supports; others cause a warning. */
			readonly known?: readonly string[] | EngineNames;
			/** Suggested values; others are valid too. */
			readonly examples?: readonly string[] | EngineNames;
			readonly refers?: NonNullable<JsonSchema['refers']>;
			readonly takes?: readonly string[];
			readonly form?: NonNullable<JsonSchema['form']>;
			readonly rare?: true;
			/** Schema of a field that only the hosted service reads, for completion. */
			readonly field?: JsonSchema;
	  };

/** Descriptions by field path: `prompt_template[].role`; `*` matches any name. */
export type Labels = Readonly<Record<string, Label>>;

/** Adds a prefix to the paths of descriptions. */
export function prefixPaths(path: string, words: Labels): Labels {
	return Object.fromEntries(Object.entries(words).map(([inner, word]) => [`${path}.${inner}`, word]));
}

/**
 * Descriptions of node types and their fields, used only to generate the schema. Functions create them, so that bundles don't contain them.
 */
export type KindLabels = Readonly<Record<string, { readonly text: string; readonly fields: Labels }>>;
