import { html, nothing } from 'lit';
import { fill } from '../../shared/fill.ts';
import type { FieldOf } from '../nodeForm/formTypes.ts';
import { type FieldPage, setting } from './fieldPage.ts';
import { groupField } from './groupField.ts';
import { itemsView, wayView } from './listField.ts';

/** The cases of a branch, in the order in which they are checked. */
export function casesField(field: FieldOf<'list'>, page: FieldPage): unknown {
	const { strings } = page;
	return html`${itemsView(field, page, {
		name: (_, at) => fill(strings.caseOf, at + 1),
		head: (item, at) => html`${at === 0 ? strings.ifCase : strings.elseIfCase} · ${wayView(item, page)}`,
		body: (item, at) => (item.kind === 'group' ? caseView(item, fill(strings.caseOf, at + 1), page) : page.input(item)),
		add: strings.addCase,
	})}`;
}

function caseView({ fields, path }: FieldOf<'group'>, name: string, page: FieldPage): unknown {
	const conditions = fields.find(field => field.name === 'conditions');
	const join = fields.find(field => field.name === 'logical_operator');
	const rest = fields.filter(field => field !== conditions && field !== join);
	const isJoined = conditions?.kind === 'list' && conditions.items.length > 1;
	return html`${join?.kind === 'select' && isJoined ? joinView(join, name, page) : nothing}
		${conditions ? page.input(conditions) : nothing}
		${groupField({ fields: rest, path }, page)}`;
}

/** Chooses if all conditions must be met, or any of them. */
function joinView(join: FieldOf<'select'>, name: string, page: FieldPage): unknown {
	const { form, strings } = page;
	const radio = (value: string, label: string) =>
		html`<label><input type="radio" name=${join.path.join('-')} .checked=${(join.value || 'and') === value} ?disabled=${!form.editable} @change=${() => page.edit(setting(form, join.path, value))} /> ${label}</label>`;
	return html`<div class="row" role="radiogroup" aria-label="${name}: ${join.label}">${radio('and', strings.allHold)}${radio('or', strings.oneHolds)}</div>`;
}
