import * as z from 'zod';
import { Jinja } from '../jinja/jinja.ts';
import { toPlainValues } from '../variables/float.ts';
import { readExactInputValues } from './inputValues.ts';
import { NodeError } from './nodeError.ts';
import { defineNodeType, type NodeResult } from './nodeType.ts';
import { inputsSchema, textSchema } from './schemas.ts';

/** Maximum length of the output, as in the hosted service (workflow DSL, "template-transform"). */
const maxOutput = 400_000;

/** Template node: renders a Jinja template. Its errors have no type, as in the hosted service (case n31). */
export const templateTransform = defineNodeType({
	type: 'template-transform',
	schema: z
		.looseObject({ template: textSchema, variables: inputsSchema })
		.transform(data => ({ ...data, jinja: new Jinja(data.template) })),
	run({ settings, variables, record, services, signal }) {
		const inputs = readExactInputValues(settings.variables, variables);
		record.inputs = toPlainValues(inputs);
		try {
			const output = services.templates.render(settings.jinja, inputs, signal);
			return typeof output === 'string' ? toTemplateResult(output) : output.then(toTemplateResult, throwRenderError);
		} catch (cause) {
			return throwRenderError(cause);
		}
	},
});

function toTemplateResult(output: string): NodeResult {
	if (output.length > maxOutput) {
		throw new NodeError(`The output is longer than ${maxOutput} characters, the limit for templates`, '');
	}
	return { outputs: { output } };
}

function throwRenderError(cause: unknown): never {
	throw cause instanceof NodeError ? cause : new NodeError(`Couldn't render the template: ${(cause as Error).message}`, '', { cause });
}
