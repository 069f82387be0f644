import { html, nothing } from 'lit';
import type { NodeFormField } from '../nodeForm/formTypes.ts';
import { renderCases } from './casesField.ts';
import { renderModelName, renderSelect, renderSelector } from './choiceFields.ts';
import { renderCode } from './codeField.ts';
import { renderConditions } from './conditionsField.ts';
import { type FieldPage, getInputId } from './fieldPage.ts';
import { renderGroup } from './groupField.ts';
import { renderList } from './listField.ts';
import { renderMap } from './mapField.ts';
import { renderMessages } from './messagesField.ts';
import { renderCheckbox, renderJson, renderNumber, renderReadOnlyValue, renderValue } from './plainFields.ts';
import { renderText } from './textField.ts';

/** Renders a field with its label, help and problems. */
export function renderField(field: NodeFormField, page: FieldPage): unknown {
	const id = getInputId(field);
	const mark = field.required ? html` <span class="dim">${page.strings.required}</span>` : nothing;
	const tip = field.help || nothing;
	const help = field.help ? html`<p class="fieldHelp" id="${id}-help">${field.help}</p>` : nothing;
	const faults = html`<div class="fieldFaults" id="${id}-faults">${field.faults.map(fault => html`<p class="fieldFault"><span class="codicon codicon-error" aria-hidden="true"></span>${fault}</p>`)}</div>`;
	switch (field.kind) {
		case 'group':
		case 'list':
		case 'map':
			return html`<div class="field" role="group" aria-labelledby="${id}-label" aria-describedby=${field.help ? `${id}-help` : nothing}>
				<span class="label" id="${id}-label" title=${tip}>${field.label}${mark}</span>${help}${renderInput(field, page)}${faults}
			</div>`;
		case 'checkbox':
			return html`<div class="field"><div class="fieldRow">${renderInput(field, page)}<label for=${id} title=${tip}>${field.label}${mark}</label></div>${help}${faults}</div>`;
		default:
			return html`<div class="field"><label for=${id} title=${tip}>${field.label}${mark}</label>${renderInput(field, page)}${help}${faults}</div>`;
	}
}

/** Renders the input of a field. */
export function renderInput(field: NodeFormField, page: FieldPage, label?: string): unknown {
	switch (field.kind) {
		case 'text':
			return renderText(field, page, label);
		case 'code':
			return renderCode(field, page, label);
		case 'number':
			return renderNumber(field, page, label);
		case 'checkbox':
			return renderCheckbox(field, page, label);
		case 'select':
			return renderSelect(field, page, label);
		case 'value':
			return renderValue(field, page, label);
		case 'selector':
			return renderSelector(field, page, label);
		case 'modelName':
			return renderModelName(field, page, label);
		case 'json':
			return renderJson(field, page, label);
		case 'kept':
			return renderReadOnlyValue(field, page);
		case 'group':
			return renderGroup(field, page);
		case 'map':
			return renderMap(field, page);
		case 'list':
			switch (field.look) {
				case 'messages':
					return renderMessages(field, page);
				case 'cases':
					return renderCases(field, page);
				case 'conditions':
					return renderConditions(field, page);
				default:
					return renderList(field, page);
			}
	}
}
