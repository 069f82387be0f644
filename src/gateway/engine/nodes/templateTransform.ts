import * as z from 'zod';
import { Jinja } from '../jinja/jinja.ts';
import { inputValues } from './inputValues.ts';
import { NodeError, nodeType } from './nodeType.ts';
import { inputsSchema, textSchema } from './schemas.ts';

/** Characters of the text, as in the hosted service (workflow DSL, "template-transform"). */
const maxOutput = 400_000;

/** Fills a Jinja template. */
export const templateTransform = nodeType({
	type: 'template-transform',
	schema: z
		.looseObject({ template: textSchema, variables: inputsSchema })
		.transform(data => ({ ...data, jinja: new Jinja(data.template) })),
	run({ settings, variables, record }) {
		const inputs = inputValues(settings.variables, variables);
		record.inputs = inputs;
		let output: string;
		try {
			output = settings.jinja.render(inputs);
		} catch (cause) {
			throw new NodeError(`The template cannot be filled: ${(cause as Error).message}`, 'ValueError', { cause });
		}
		if (output.length > maxOutput) {
			throw new NodeError(`The output is over ${maxOutput} characters, the most a template can give`, 'ValueError');
		}
		return { outputs: { output } };
	},
});
