import { html, nothing } from 'lit';
import type { NodeFormField } from '../nodeForm/formTypes.ts';
import { casesField } from './casesField.ts';
import { modelNameField, selectField, selectorField } from './choiceFields.ts';
import { codeField } from './codeField.ts';
import { conditionsField } from './conditionsField.ts';
import { type FieldPage, inputId } from './fieldPage.ts';
import { groupField } from './groupField.ts';
import { listField } from './listField.ts';
import { mapField } from './mapField.ts';
import { messagesField } from './messagesField.ts';
import { checkboxField, jsonField, keptField, numberField, valueField } from './plainFields.ts';
import { textField } from './textField.ts';

/** Renders a field with its label, help and problems. */
export function fieldView(field: NodeFormField, page: FieldPage): unknown {
	const id = inputId(field);
	const mark = field.required ? html` <span class="dim">${page.strings.required}</span>` : nothing;
	const help = field.help ? html`<p class="fieldHelp" id="${id}-help">${field.help}</p>` : nothing;
	const faults = html`<div class="fieldFaults" id="${id}-faults">${field.faults.map(fault => html`<p class="fieldFault"><span class="codicon codicon-error" aria-hidden="true"></span>${fault}</p>`)}</div>`;
	switch (field.kind) {
		case 'group':
		case 'list':
		case 'map':
			return html`<div class="field" role="group" aria-labelledby="${id}-label" aria-describedby=${field.help ? `${id}-help` : nothing}>
				<span class="label" id="${id}-label">${field.label}${mark}</span>${help}${inputView(field, page)}${faults}
			</div>`;
		case 'checkbox':
			return html`<div class="field"><div class="fieldRow">${inputView(field, page)}<label for=${id}>${field.label}${mark}</label></div>${help}${faults}</div>`;
		default:
			return html`<div class="field"><label for=${id}>${field.label}${mark}</label>${inputView(field, page)}${help}${faults}</div>`;
	}
}

/** Renders the input of a field. */
export function inputView(field: NodeFormField, page: FieldPage, label?: string): unknown {
	switch (field.kind) {
		case 'text':
			return textField(field, page, label);
		case 'code':
			return codeField(field, page, label);
		case 'number':
			return numberField(field, page, label);
		case 'checkbox':
			return checkboxField(field, page, label);
		case 'select':
			return selectField(field, page, label);
		case 'value':
			return valueField(field, page, label);
		case 'selector':
			return selectorField(field, page, label);
		case 'modelName':
			return modelNameField(field, page, label);
		case 'json':
			return jsonField(field, page, label);
		case 'kept':
			return keptField(field, page);
		case 'group':
			return groupField(field, page);
		case 'map':
			return mapField(field, page);
		case 'list':
			switch (field.look) {
				case 'messages':
					return messagesField(field, page);
				case 'cases':
					return casesField(field, page);
				case 'conditions':
					return conditionsField(field, page);
				default:
					return listField(field, page);
			}
	}
}
