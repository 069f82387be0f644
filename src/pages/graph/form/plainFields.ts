import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { FieldOf } from '../nodeForm/formTypes.ts';
import type { Reading } from './draftInput.ts';
import './draftInput.ts';
import { createSetOperation, type FieldPage, getDescriptionIds, getInputId } from './fieldPage.ts';
import { readJson, readNumber, readValue } from './readings.ts';
import { createCommit } from './textField.ts';

/** Renders a number or a reference. */
export function renderNumber(field: FieldOf<'number'>, page: FieldPage, label: string | undefined): unknown {
	return renderDraft(field, page, label, String(field.value ?? ''), text => readNumber(text, field, page.strings));
}

/** Renders a string, number, boolean or JSON value. */
export function renderValue(field: FieldOf<'value'>, page: FieldPage, label: string | undefined): unknown {
	return renderDraft(field, page, label, field.value, text => readValue(text, field.isText));
}

/** Renders any value as JSON. */
export function renderJson(field: FieldOf<'json'>, page: FieldPage, label: string | undefined): unknown {
	return renderDraft(field, page, label, field.value, text => readJson(text, page.strings), true);
}

/** Renders a read-only value that the canvas manages. */
export function renderReadOnlyValue(field: FieldOf<'kept'>, page: FieldPage): unknown {
	return html`<output id=${getInputId(field)} class="dim">${field.value || page.strings.unset}</output>`;
}

export function renderCheckbox(field: FieldOf<'checkbox'>, page: FieldPage, label: string | undefined): unknown {
	const onChange = (event: Event) => page.edit(createSetOperation(page.form, field.path, (event.target as HTMLInputElement).checked));
	return html`<input type="checkbox" id=${getInputId(field)} aria-label=${label ?? nothing} aria-describedby=${getDescriptionIds(field) || nothing} ?disabled=${!page.form.editable}
		.checked=${live(field.value === true)} .indeterminate=${field.value === undefined && field.required} @change=${onChange} />`;
}

type Typed = 'number' | 'value' | 'json';

function renderDraft(
	field: FieldOf<Typed>,
	page: FieldPage,
	label: string | undefined,
	value: string,
	read: (text: string) => Reading,
	isCode = false,
): unknown {
	return html`<draft-input .inputId=${getInputId(field)} .value=${value} .held=${field.held} .many=${isCode} .mono=${isCode} .off=${!page.form.editable} .invalid=${field.faults.length > 0} .label=${label} .described=${getDescriptionIds(field)} .strings=${page.strings}
		.read=${read} .commit=${createCommit(field, page)}></draft-input>`;
}
