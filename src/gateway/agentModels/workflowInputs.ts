import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { StartVariable } from '#engine/agentFile/agentTypes.ts';

type Variable = Pick<StartVariable, 'variable' | 'type' | 'required'>;

/**
 * Inputs of a workflow that is asked as a model: those given; else a text that is a JSON object of its variables; else the text as the one text that is
 * required. Throws a fault (400) that lists the variables where it is none of these.
 */
export function workflowInputs(
	variables: readonly Variable[],
	given: Readonly<Record<string, unknown>> | undefined,
	text: string,
): Readonly<Record<string, unknown>> {
	if (given) {
		return given;
	}
	const names = new Set(variables.map(({ variable }) => variable));
	const object = objectOf(text);
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
		`This workflow needs inputs: send them as the field "inputs" of the request, or as a JSON object in the last message of the user. Its variables: ${list}.`,
		{ params: 'inputs' },
	);
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
	const value = tryParseJson(text);
	return isRecord(value) ? value : undefined;
}
