import type { Selector } from '../agentFile/agentTypes.ts';
import { toPlainValues } from '../variables/float.ts';
import type { VariablePool } from '../variables/variables.ts';

type Inputs = readonly { readonly variable: string; readonly value_selector: Selector }[];

/** Returns the values of a node's inputs by name; a missing one is null. */
export function readInputValues(inputs: Inputs, variables: VariablePool): Readonly<Record<string, unknown>> {
	return toPlainValues(readExactInputValues(inputs, variables));
}

/** Like {@link readInputValues}, with floats as templates print them ({@link VariablePool.getExactValue}). */
export function readExactInputValues(inputs: Inputs, variables: VariablePool): Readonly<Record<string, unknown>> {
	return Object.fromEntries(inputs.map(({ variable, value_selector }) => [variable, variables.getExactValue(value_selector) ?? null]));
}
