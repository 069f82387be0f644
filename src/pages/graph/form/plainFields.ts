import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { FieldOf } from '../nodeForm/formTypes.ts';
import type { Reading } from './draftInput.ts';
import './draftInput.ts';
import { describedBy, type FieldPage, inputId, setting } from './fieldPage.ts';
import { readJson, readNumber, readValue } from './readings.ts';
import { committing } from './textField.ts';

/** A number, or a reference. */
export function numberField(field: FieldOf<'number'>, page: FieldPage, label: string | undefined): unknown {
	return draft(field, page, label, String(field.value ?? ''), text => readNumber(text, field, page.strings));
}

/** A string, number, boolean or JSON value. */
export function valueField(field: FieldOf<'value'>, page: FieldPage, label: string | undefined): unknown {
	return draft(field, page, label, field.value, text => readValue(text, field.isText));
}

/** Any value, as JSON. */
export function jsonField(field: FieldOf<'json'>, page: FieldPage, label: string | undefined): unknown {
	return draft(field, page, label, field.value, text => readJson(text, page.strings), true);
}

/** A read-only value that the canvas manages. */
export function keptField(field: FieldOf<'kept'>, page: FieldPage): unknown {
	return html`<output id=${inputId(field)} class="dim">${field.value || page.strings.unset}</output>`;
}

export function checkboxField(field: FieldOf<'checkbox'>, page: FieldPage, label: string | undefined): unknown {
	const change = (event: Event) => page.edit(setting(page.form, field.path, (event.target as HTMLInputElement).checked));
	return html`<input type="checkbox" id=${inputId(field)} aria-label=${label ?? nothing} aria-describedby=${describedBy(field) || nothing} ?disabled=${!page.form.editable}
		.checked=${live(field.value === true)} .indeterminate=${field.value === undefined && field.required} @change=${change} />`;
}

type Typed = 'number' | 'value' | 'json';

function draft(
	field: FieldOf<Typed>,
	page: FieldPage,
	label: string | undefined,
	value: string,
	read: (text: string) => Reading,
	isCode = false,
): unknown {
	return html`<draft-input .inputId=${inputId(field)} .value=${value} .held=${field.held} .many=${isCode} .mono=${isCode} .off=${!page.form.editable} .invalid=${field.faults.length > 0} .label=${label} .described=${describedBy(field)} .strings=${page.strings}
		.read=${read} .commit=${committing(field, page)}></draft-input>`;
}
