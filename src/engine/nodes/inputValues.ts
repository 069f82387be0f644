import type { Selector } from '../agentFile/agentTypes.ts';
import { plainValues } from '../variables/float.ts';
import type { VariablePool } from '../variables/variables.ts';

type Inputs = readonly { readonly variable: string; readonly value_selector: Selector }[];

/** Returns the values of a node's inputs by name; a missing one is null. */
export function inputValues(inputs: Inputs, variables: VariablePool): Readonly<Record<string, unknown>> {
	return plainValues(exactInputValues(inputs, variables));
}

/** Like {@link inputValues}, with floats as templates print them ({@link VariablePool.exact}). */
export function exactInputValues(inputs: Inputs, variables: VariablePool): Readonly<Record<string, unknown>> {
	return Object.fromEntries(inputs.map(({ variable, value_selector }) => [variable, variables.exact(value_selector) ?? null]));
}
