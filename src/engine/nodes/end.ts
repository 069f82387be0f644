import * as z from 'zod';
import { defineNodeType, type TemplatePart } from './nodeType.ts';
import { createListSchema, selectorSchema } from './schemas.ts';

/** End node: its outputs become outputs of the run. A missing value is null (case a04). */
export const end = defineNodeType({
	type: 'end',
	schema: z
		.looseObject({ outputs: createListSchema(z.looseObject({ variable: z.string(), value_selector: selectorSchema })) })
		.transform(data => ({
			...data,
			template: data.outputs.flatMap(({ value_selector: selector }, index): TemplatePart[] =>
				index === 0 ? [{ selector }] : [{ text: '\n' }, { selector }],
			),
		})),
	template: ({ template }) => template,
	run({ settings, variables, record }) {
		// an assignment to `__proto__` would be lost
		const outputs = Object.fromEntries(settings.outputs.map(each => [each.variable, variables.get(each.value_selector) ?? null]));
		record.inputs = outputs;
		return { outputs };
	},
});
