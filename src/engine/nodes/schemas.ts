import * as z from 'zod';

/** Names a value; empty where the editor of the hosted service left it open. */
export const selectorSchema = z.array(z.string());

/** A list that older files leave out. */
export function listOf<Item extends z.ZodType>(item: Item) {
	return z
		.array(item)
		.nullish()
		.transform(list => list ?? []);
}

/** Text that older files leave out. */
export const textSchema = z
	.string()
	.nullish()
	.transform(text => text ?? '');

/** Inputs of template and code nodes: a name for a value. */
export const inputsSchema = listOf(z.looseObject({ variable: z.string(), value_selector: selectorSchema }));
