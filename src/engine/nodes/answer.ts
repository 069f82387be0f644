import * as z from 'zod';
import { isFileValue } from '../variables/fileValue.ts';
import { resolveText, splitTemplate } from '../variables/references.ts';
import { toMarkdownText } from '../variables/textForms.ts';
import { defineNodeType } from './nodeType.ts';
import { textSchema } from './schemas.ts';

/** Answer node: adds text to the answer of a chatflow. */
export const answer = defineNodeType({
	type: 'answer',
	schema: z.looseObject({ answer: textSchema }).transform(data => ({ ...data, template: splitTemplate(data.answer) })),
	template: ({ template }) => template,
	run({ settings, variables }) {
		const values = settings.template.flatMap(part => ('selector' in part ? [variables.get(part.selector)] : []));
		return {
			outputs: {
				answer: resolveText(settings.answer, variables, toMarkdownText),
				files: values.flat().filter(isFileValue),
			},
		};
	},
});
