import { html, nothing } from 'lit';
import { fill } from '../../shared/fill.ts';
import type { FieldOf } from '../nodeForm/formTypes.ts';
import { createSetOperation, type FieldPage } from './fieldPage.ts';
import { renderGroup } from './groupField.ts';
import { renderHandleTargets, renderItems } from './listField.ts';

/** Renders the cases of a branch, in the order in which they are checked. */
export function renderCases(field: FieldOf<'list'>, page: FieldPage): unknown {
	const { strings } = page;
	return html`${renderItems(field, page, {
		getName: (_, at) => fill(strings.caseOf, at + 1),
		renderHead: (item, at) => html`${at === 0 ? strings.ifCase : strings.elseIfCase} · ${renderHandleTargets(item, page)}`,
		renderBody: (item, at) => (item.kind === 'group' ? renderCase(item, fill(strings.caseOf, at + 1), page) : page.renderInput(item)),
		add: strings.addCase,
	})}`;
}

function renderCase({ fields, path }: FieldOf<'group'>, name: string, page: FieldPage): unknown {
	const conditions = fields.find(field => field.name === 'conditions');
	const join = fields.find(field => field.name === 'logical_operator');
	const rest = fields.filter(field => field !== conditions && field !== join);
	const isJoined = conditions?.kind === 'list' && conditions.items.length > 1;
	return html`${join?.kind === 'select' && isJoined ? renderJoinChoice(join, name, page) : nothing}
		${conditions ? page.renderInput(conditions) : nothing}
		${renderGroup({ fields: rest, path }, page)}`;
}

/** Renders the choice between all conditions and any of them. */
function renderJoinChoice(join: FieldOf<'select'>, name: string, page: FieldPage): unknown {
	const { form, strings } = page;
	const renderRadio = (value: string, label: string) =>
		html`<label><input type="radio" name=${join.path.join('-')} .checked=${(join.value || 'and') === value} ?disabled=${!form.editable} @change=${() => page.edit(createSetOperation(form, join.path, value))} /> ${label}</label>`;
	return html`<div class="row" role="radiogroup" aria-label="${name}: ${join.label}">${renderRadio('and', strings.allHold)}${renderRadio('or', strings.oneHolds)}</div>`;
}
