import * as z from 'zod';

/** Schema of a selector; empty if it wasn't set in the hosted service's editor. */
export const selectorSchema = z.array(z.string());

/** Returns the schema of a list that older files omit. */
export function createListSchema<Item extends z.ZodType>(item: Item) {
	return z
		.array(item)
		.nullish()
		.transform(list => list ?? []);
}

/** Schema of a string that older files omit. */
export const textSchema = z
	.string()
	.nullish()
	.transform(text => text ?? '');

/** Schema of the inputs of template and code nodes. Each input refers to a value. */
export const inputsSchema = createListSchema(z.looseObject({ variable: z.string(), value_selector: selectorSchema }));
