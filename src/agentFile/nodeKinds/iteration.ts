import { getField } from '#base/records/plainValues.ts';
import { createFact } from './cards/cardFacts.ts';
import { describeSelector, valueTypes } from './labels/fieldLabels.ts';
import type { KindLabels } from './labels/label.ts';
import type { NodeKind } from './nodeKind.ts';

/** Runs the nodes inside it once for each item of a list. */
export const iteration: NodeKind = {
	type: 'iteration',
	icon: 'list-ordered',
	role: 'container',
	insideField: 'isInIteration',
	snippet: {
		title: 'Iteration',
		data: ['iterator_selector: [${3:¶}]', 'output_selector: [${1:§}, item]', 'start_node_id: ${1:§}_start'],
	},
	outputs: ['output:array', 'item:', 'index:number'],
	failsWithout: 'values',
	createFacts: (data, nameOf) => createFact(nameOf(getField(data, 'iterator_selector'))),
};

/** The start of each iteration. */
export const iterationStart: NodeKind = { type: 'iteration-start', icon: 'home', role: 'inner-start' };

export const describeKind = (): KindLabels => ({
	iteration: {
		text: 'Runs its inner nodes once for each item of a list.',
		fields: {
			iterator_selector: describeSelector('List to process', 'array'),
			output_selector: describeSelector('Output of each iteration'),
			start_node_id: { text: 'ID of the inner iteration-start node.', field: { refers: 'inner' }, form: 'kept' },
			is_parallel: 'Whether to run iterations in parallel.',
			parallel_nums: { text: 'Maximum number of parallel iterations.', rare: true },
			error_handle_mode:
				"What happens when an iteration fails: the node fails ('terminated'), its output is null ('continue-on-error'), or its output is removed ('remove-abnormal-output').",
			flatten_output: { text: 'Whether to flatten lists in the output.', rare: true },
			iterator_input_type: { text: 'Type of the list.', field: {}, examples: valueTypes, rare: true },
			output_type: { text: 'Type of the output.', field: {}, examples: valueTypes, rare: true },
		},
	},
	'iteration-start': { text: 'Starts each iteration of the surrounding iteration node.', fields: {} },
});
