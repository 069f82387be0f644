/** `{{#node.variable.key#}}` (workflow DSL, "Referring to variables"); anything else in braces is plain text. The first group is what stands between the marks. */
export const referencePattern = /\{\{#([a-zA-Z0-9_]{1,50}(?:\.[a-zA-Z_][a-zA-Z0-9_]{0,29}){1,10})#\}\}/g;

/** Paths in `data` of nodes at which a list is a selector: [node ID, variable, key…]. The schema of agent files says the same by `refers`. */
const selectors =
	/^(?!tool_configurations\/)(?:.*\/)?\w*selector$|^(?:query|variable)$|^body\/data\/\d+\/file$|^(?:advanced_settings\/groups\/\d+\/)?variables\/\d+$/;

/** Paths of values that are selectors or constants, with the field next to them that says which. */
const mixedValues: readonly (readonly [path: RegExp, kind: string])[] = [
	[/^(?:tool|agent)_parameters\/[^/]+\/value(\/|$)/, 'type'],
	[/^loop_variables\/\d+\/value(\/|$)/, 'value_type'],
	[/^items\/\d+\/value(\/|$)/, 'input_type'],
];

/**
 * Whether a list at a path in `data` of a node names a variable, not values.
 * @param siblingOf the value of another field of the map that holds the list
 */
export function isSelector(path: readonly (string | number)[], siblingOf: (name: string) => unknown): boolean {
	const joined = path.join('/');
	for (const [pattern, kind] of mixedValues) {
		const found = pattern.exec(joined);
		if (found) {
			// nothing inside of a constant is a selector
			return found[1] === '' && siblingOf(kind) === 'variable';
		}
	}
	return selectors.test(joined);
}

/** Fields of `data` that are IDs of nodes. */
export const nodeFields: readonly string[] = ['iteration_id', 'loop_id', 'start_node_id'];
