/** `{{#node.variable.key#}}` (workflow DSL, "Referring to variables"); anything else in braces is plain text. The first group is what stands between the marks. */
export const referencePattern = /\{\{#([a-zA-Z0-9_]{1,50}(?:\.[a-zA-Z_][a-zA-Z0-9_]{0,29}){1,10})#\}\}/g;

/** Paths in `data` of nodes at which a list is a selector: [node ID, variable, key…]. The schema of agent files says the same by `refers`. */
const selectors =
	/(?:^|\/)\w*selector$|^(?:query|variable)$|^body\/data\/\d+\/file$|^(?:advanced_settings\/groups\/\d+\/)?variables\/\d+$|^(?:tool|agent)_parameters\/[^/]+\/value$|^(?:loop_variables|items)\/\d+\/value$/;

/** Whether a list at a path in `data` of a node names a variable, not values. */
export function isSelector(path: readonly (string | number)[]): boolean {
	return selectors.test(path.join('/'));
}

/** Fields of `data` that are IDs of nodes. */
export const nodeFields: readonly string[] = ['iteration_id', 'loop_id', 'start_node_id'];
