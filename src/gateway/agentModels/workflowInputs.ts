import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { StartVariable } from '#engine/agentFile/agentTypes.ts';

type Variable = Pick<StartVariable, 'variable' | 'type' | 'required'>;

/**
 * Returns the inputs of a workflow used as a model: the given inputs; otherwise the text as a JSON object with the workflow's variables;
 * otherwise the text as its only required text variable. Throws an error (400) that lists the variables if none of these applies.
 */
export function toWorkflowInputs(
	variables: readonly Variable[],
	given: Readonly<Record<string, unknown>> | undefined,
	text: string,
): Readonly<Record<string, unknown>> {
	if (given) {
		return given;
	}
	const names = new Set(variables.map(({ variable }) => variable));
	const object = parseObject(text);
	if (object && Object.keys(object).every(name => names.has(name))) {
		return object;
	}
	const [only, ...others] = variables.filter(({ required, type }) => required && (type === 'text-input' || type === 'paragraph'));
	if (only && others.length === 0) {
		return { [only.variable]: text };
	}
	if (variables.length === 0) {
		return {};
	}
	const list = variables.map(({ variable, type, required }) => `${variable} (${type}${required ? ', required' : ''})`).join(', ');
	throw new ServiceFault(
		400,
		`This workflow needs inputs. Send them in the "inputs" field of the request, or as a JSON object in the last user message. Variables: ${list}.`,
		{ params: 'inputs' },
	);
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
	const value = tryParseJson(text);
	return isRecord(value) ? value : undefined;
}
