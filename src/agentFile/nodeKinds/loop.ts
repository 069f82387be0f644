import { getFieldText } from '#base/records/plainValues.ts';
import { createFact } from './cards/cardFacts.ts';
import { describeCondition, join, valueTypes } from './labels/fieldLabels.ts';
import { type KindLabels, prefixPaths } from './labels/label.ts';
import type { NodeKind } from './nodeKind.ts';

/** Repeats the nodes inside it. */
export const loop: NodeKind = {
	type: 'loop',
	icon: 'sync',
	role: 'container',
	insideField: 'isInLoop',
	snippet: {
		title: 'Loop',
		data: ['loop_count: ${3:3}', 'logical_operator: and', 'break_conditions: []', 'loop_variables: []', 'start_node_id: ${1:§}_start'],
	},
	outputs: ['loop_round:number', 'index:number'],
	declares: { at: ['loop_variables'], name: 'label', type: 'var_type' },
	failsWithout: 'values',
	createFacts: data => createFact(getFieldText(data, 'loop_count'), '≤'),
};

/** The start of each loop iteration. */
export const loopStart: NodeKind = { type: 'loop-start', icon: 'home', role: 'inner-start' };

/** Ends the surrounding loop immediately. */
export const loopEnd: NodeKind = {
	type: 'loop-end',
	icon: 'debug-stop',
	role: 'end',
	inside: 'loop',
	snippet: { title: 'Exit Loop', data: [] },
};

export const describeKind = (): KindLabels => ({
	loop: {
		text: 'Repeats its inner nodes until a condition matches, a loop-end node is reached, or the maximum count is reached.',
		fields: {
			loop_count: 'Maximum number of iterations.',
			start_node_id: { text: 'ID of the inner loop-start node.', field: { refers: 'inner' }, form: 'kept' },
			break_conditions: { text: 'Conditions that end the loop after an iteration.', form: 'conditions' },
			'break_conditions[]': 'A condition that compares two values.',
			...prefixPaths('break_conditions[]', describeCondition()),
			logical_operator: join,
			loop_variables: 'Variables of the loop. Inner assigner nodes can change them.',
			'loop_variables[]': 'A variable of the loop.',
			'loop_variables[].label': 'Name of the variable.',
			'loop_variables[].var_type': { text: 'Type of the variable.', examples: valueTypes },
			'loop_variables[].value_type': 'Whether the initial value is a constant or a variable.',
			'loop_variables[].value': { text: 'The initial value, or [node ID, variable].', refers: 'variable' },
			'loop_variables[].id': { text: 'ID of the variable.', field: {}, form: 'kept' },
		},
	},
	'loop-start': { text: 'Starts each iteration of the surrounding loop.', fields: {} },
	'loop-end': { text: 'Ends the surrounding loop immediately.', fields: {} },
});
