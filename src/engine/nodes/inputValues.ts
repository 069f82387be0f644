import type { Selector } from '../agentFile/agentTypes.ts';
import type { VariablePool } from '../variables/variables.ts';

/** Values of a node's inputs by name; one that does not exist is null. */
export function inputValues(
	inputs: readonly { readonly variable: string; readonly value_selector: Selector }[],
	variables: VariablePool,
): Record<string, unknown> {
	const values: Record<string, unknown> = {};
	for (const { variable, value_selector } of inputs) {
		values[variable] = variables.get(value_selector) ?? null;
	}
	return values;
}
