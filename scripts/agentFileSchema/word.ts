import type { JsonSchema } from '#base/text/schemaCheck.ts';

/** What is said of one field beyond the engine's schema. A string is its description. */
export type Word =
	| string
	| {
			readonly text: string;
			/** Values that the engine knows: another one is a warning. */
			readonly known?: readonly string[];
			/** Values to choose from; others are as good. */
			readonly examples?: readonly string[];
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
