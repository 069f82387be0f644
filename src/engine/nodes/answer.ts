import * as z from 'zod';
import { isFileValue } from '../variables/fileValue.ts';
import { parts, resolveText } from '../variables/references.ts';
import { markdownText } from '../variables/textForms.ts';
import { nodeType } from './nodeType.ts';
import { textSchema } from './schemas.ts';

/** Answer node: adds text to the answer of a chatflow. */
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
