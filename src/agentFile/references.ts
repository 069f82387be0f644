/**
 * Matches a reference, `{{#node.variable.key#}}` (workflow DSL, "Referring to variables"). Anything else in braces is plain text. The first
 * group is the text between the marks.
 */
export const referencePattern = /\{\{#([a-zA-Z0-9_]{1,50}(?:\.[a-zA-Z_][a-zA-Z0-9_]{0,29}){1,10})#\}\}/g;

/**
 * Matches paths in a node's `data` where a list is a selector: [node ID, variable, key…]. The schema of agent files marks the same fields
 * with `refers`.
 */
const selectors =
	/^(?!tool_configurations\/)(?:.*\/)?\w*selector$|^(?:query|variable)$|^body\/data\/\d+\/file$|^(?:advanced_settings\/groups\/\d+\/)?variables\/\d+$/;

/** Paths of values that are selectors or constants, each with the sibling field that decides which. */
const mixedValues: readonly (readonly [path: RegExp, kind: string])[] = [
	[/^(?:tool|agent)_parameters\/[^/]+\/value(\/|$)/, 'type'],
	[/^loop_variables\/\d+\/value(\/|$)/, 'value_type'],
	[/^items\/\d+\/value(\/|$)/, 'input_type'],
];

/**
 * True if a list at a path in a node's `data` is a selector, not a list of values.
 * @param siblingOf returns another field of the map that contains the list
 */
export function isSelector(path: readonly (string | number)[], siblingOf: (name: string) => unknown): boolean {
	const joined = path.join('/');
	for (const [pattern, kind] of mixedValues) {
		const found = pattern.exec(joined);
		if (found) {
			// constants contain no selectors
			return found[1] === '' && siblingOf(kind) === 'variable';
		}
	}
	return selectors.test(joined);
}

/** Fields of `data` that contain node IDs. */
export const nodeFields: readonly string[] = ['iteration_id', 'loop_id', 'start_node_id'];
