import { html, nothing } from 'lit';
import { fill } from '../../shared/fill.ts';
import type { FieldOf, NodeFormField } from '../nodeForm/formTypes.ts';
import { selectorField } from './choiceFields.ts';
import { type FieldPage, setting } from './fieldPage.ts';
import { groupField } from './groupField.ts';
import { itemsView } from './listField.ts';

/** Operators without a second operand. */
const alone = ['empty', 'not empty', 'null', 'not null', 'exists', 'not exists'];

/** Conditions, one row each: variable, operator and value to compare with. */
export function conditionsField(field: FieldOf<'list'>, page: FieldPage): unknown {
	const { strings } = page;
	const name = (at: number) => fill(strings.condition, at + 1);
	return itemsView(field, page, {
		name: (_, at) => name(at),
		body: (item, at) => (item.kind === 'group' ? conditionView(item, name(at), page) : page.input(item, name(at))),
		add: strings.addCondition,
	});
}

function conditionView(condition: FieldOf<'group'>, name: string, page: FieldPage): unknown {
	const { strings } = page;
	const named = (wanted: string) => condition.fields.find(field => field.name === wanted);
	const variable = named('variable_selector');
	const operator = named('comparison_operator');
	const value = named('value');
	const isAlone = operator?.kind === 'select' && alone.includes(operator.value);
	const shown = [variable, operator, value];
	const rest = condition.fields.filter(field => !shown.includes(field)).map((field): NodeFormField => ({ ...field, rare: true }));
	return html`
		${variable?.kind === 'selector' ? selectorField(variable, page, `${name}: ${strings.variable}`, selector => page.edit(setting(page.form, condition.path, compared(condition, selector, page)))) : variable ? page.input(variable, `${name}: ${strings.variable}`) : nothing}
		${operator ? page.input(operator, `${name}: ${strings.operator}`) : nothing}
		${value && !isAlone ? page.input(value, `${name}: ${strings.comparedWith}`) : nothing}
		${shown.flatMap(field => field?.faults ?? []).map(fault => html`<p class="fieldFault">${fault}</p>`)}
		${groupField({ fields: rest, path: condition.path }, page)}`;
}

/** The condition with another variable and, like Dify writes it, the type of that variable. */
function compared({ value }: FieldOf<'group'>, selector: readonly string[], { form }: FieldPage): object {
	const [id, name, ...keys] = selector;
	const variable = form.scopes.find(scope => scope.id === id)?.variables.find(each => each.name === name);
	const type = keys.length === 0 ? variable?.type : undefined;
	return { ...(typeof value === 'object' ? value : {}), variable_selector: selector, ...(type && { varType: type }) };
}
