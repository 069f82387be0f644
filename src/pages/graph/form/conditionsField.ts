import { html, nothing } from 'lit';
import { fill } from '../../shared/fill.ts';
import type { FieldOf, NodeFormField } from '../nodeForm/formTypes.ts';
import { renderSelector } from './choiceFields.ts';
import { createSetOperation, type FieldPage } from './fieldPage.ts';
import { renderGroup } from './groupField.ts';
import { renderItems } from './listField.ts';

/** Operators without a second operand. */
const alone = ['empty', 'not empty', 'null', 'not null', 'exists', 'not exists'];

/** Renders conditions, one row each: variable, operator and value to compare with. */
export function renderConditions(field: FieldOf<'list'>, page: FieldPage): unknown {
	const { strings } = page;
	const formatConditionName = (at: number) => fill(strings.condition, at + 1);
	return renderItems(field, page, {
		getName: (_, at) => formatConditionName(at),
		renderBody: (item, at) =>
			item.kind === 'group' ? renderCondition(item, formatConditionName(at), page) : page.renderInput(item, formatConditionName(at)),
		add: strings.addCondition,
	});
}

function renderCondition(condition: FieldOf<'group'>, name: string, page: FieldPage): unknown {
	const { strings } = page;
	const findField = (wanted: string) => condition.fields.find(field => field.name === wanted);
	const variable = findField('variable_selector');
	const operator = findField('comparison_operator');
	const value = findField('value');
	const isAlone = operator?.kind === 'select' && alone.includes(operator.value);
	const shown = [variable, operator, value];
	const rest = condition.fields.filter(field => !shown.includes(field)).map((field): NodeFormField => ({ ...field, rare: true }));
	return html`
		${variable?.kind === 'selector' ? renderSelector(variable, page, `${name}: ${strings.variable}`, selector => page.edit(createSetOperation(page.form, condition.path, createCondition(condition, selector, page)))) : variable ? page.renderInput(variable, `${name}: ${strings.variable}`) : nothing}
		${operator ? page.renderInput(operator, `${name}: ${strings.operator}`) : nothing}
		${value && !isAlone ? page.renderInput(value, `${name}: ${strings.comparedWith}`) : nothing}
		${shown.flatMap(field => field?.faults ?? []).map(fault => html`<p class="fieldFault">${fault}</p>`)}
		${renderGroup({ fields: rest, path: condition.path }, page)}`;
}

/** Returns the condition with another variable and the type of that variable, which Dify writes too. */
function createCondition({ value }: FieldOf<'group'>, selector: readonly string[], { form }: FieldPage): object {
	const [id, name, ...keys] = selector;
	const variable = form.scopes.find(scope => scope.id === id)?.variables.find(each => each.name === name);
	const type = keys.length === 0 ? variable?.type : undefined;
	return { ...(typeof value === 'object' ? value : {}), variable_selector: selector, ...(type && { varType: type }) };
}
