import * as z from 'zod';
import { isFileValue } from '../fileValue.ts';
import { parts, resolveText } from '../references.ts';
import { markdownText } from '../textForms.ts';
import { nodeType } from './nodeType.ts';
import { textSchema } from './schemas.ts';

/** Adds a text to the answer of a chatflow. */
export const answer = nodeType({
	type: 'answer',
	schema: z.looseObject({ answer: textSchema }).transform(data => ({ ...data, template: parts(data.answer) })),
	template: ({ template }) => template,
	run({ settings, variables }) {
		const values = settings.template.flatMap(part => ('selector' in part ? [variables.get(part.selector)] : []));
		return {
			outputs: {
				answer: resolveText(settings.answer, variables, markdownText),
				files: values.flat().filter(isFileValue),
			},
		};
	},
});
