import { fieldOf, itemsOf, textOf } from '#base/records/plainValues.ts';

/** More conditions of a case are not read: its line is full. */
const most = 4;

/** The conditions of a case in one line, as they would be said; empty where it has none. */
export function conditionsText(from: unknown): string {
	const join = textOf(from, 'logical_operator') === 'or' ? ' or ' : ' and ';
	return itemsOf(from, 'conditions').slice(0, most).map(conditionText).join(join);
}

function conditionText(condition: unknown): string {
	const selector = fieldOf(condition, 'variable_selector');
	const variable = Array.isArray(selector) ? selector.slice(1).map(String).join('.') : '';
	const value = fieldOf(condition, 'value');
	const compared = Array.isArray(value) ? value.map(String).join(', ') : textOf(condition, 'value');
	return [variable, textOf(condition, 'comparison_operator'), compared].filter(part => part !== '').join(' ');
}
