import { getField, getFieldText, getItems } from '#base/records/plainValues.ts';
import { describeCondition, join } from './labels/fieldLabels.ts';
import { type KindLabels, prefixPaths } from './labels/label.ts';
import type { NodeKind } from './nodeKind.ts';

/** Continues on the branch of the first case whose conditions match. */
export const ifElse: NodeKind = {
	type: 'if-else',
	icon: 'git-compare',
	shape: 'hexagon',
	snippet: {
		title: 'IF/ELSE',
		data: [
			'cases:',
			'  - case_id: "${3:true}"',
			'    logical_operator: and',
			'    conditions:',
			'      - { variable_selector: [${4:¶}], comparison_operator: ${5:contains}, value: "${6:word}" }',
		],
	},
	outputs: ['result:boolean', 'selected_case_id:string'],
	branches: {
		list: 'cases',
		id: 'case_id',
		title: 'case_id',
		only: 'true',
		otherwise: 'false',
		output: 'selected_case_id',
		guessHandle: (outputs, handles) => (typeof outputs['result'] === 'boolean' ? (outputs['result'] ? handles[0] : 'false') : undefined),
		createRow: (data, handle) => {
			const cases = getItems(data, 'cases');
			const at = cases.findIndex(each => getFieldText(each, 'case_id') === handle);
			return handle === 'false' && at < 0
				? { head: 'ELSE', text: '' }
				: { head: at > 0 ? `ELIF ${at}` : 'IF', text: formatConditions(at < 0 ? data : cases[at]) };
		},
	},
	failsWithout: 'values',
};

export const describeKind = (): KindLabels => ({
	'if-else': {
		text: "Continues on the branch of the first case that matches, or on the 'false' branch if none does.",
		fields: {
			cases: { text: 'Cases, checked in order.', form: 'cases' },
			'cases[]': 'A case with its conditions.',
			'cases[].case_id': { text: 'ID of the case, used as the sourceHandle of its edges.', form: 'kept' },
			'cases[].logical_operator': join,
			'cases[].conditions': { text: 'Conditions of the case.', form: 'conditions' },
			'cases[].conditions[]': 'A condition that compares two values.',
			...prefixPaths('cases[].conditions[]', describeCondition()),
			logical_operator: { text: `${join} Used in older files, which have only one case.`, rare: true },
			conditions: { text: "Conditions of the only case in older files. The ID of this case is 'true'.", form: 'conditions', rare: true },
			'conditions[]': 'A condition that compares two values.',
			...prefixPaths('conditions[]', describeCondition()),
		},
	},
});

/** Maximum number of conditions shown, because more don't fit on the line. */
const mostConditions = 4;

/** Formats the conditions of a case as one line; empty if there are none. */
function formatConditions(from: unknown): string {
	const word = getFieldText(from, 'logical_operator') === 'or' ? ' or ' : ' and ';
	return getItems(from, 'conditions').slice(0, mostConditions).map(formatCondition).join(word);
}

function formatCondition(condition: unknown): string {
	const selector = getField(condition, 'variable_selector');
	const variable = Array.isArray(selector) ? selector.slice(1).map(String).join('.') : '';
	const value = getField(condition, 'value');
	const compared = Array.isArray(value) ? value.map(String).join(', ') : getFieldText(condition, 'value');
	return [variable, getFieldText(condition, 'comparison_operator'), compared].filter(part => part !== '').join(' ');
}
