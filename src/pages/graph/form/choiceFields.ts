import { html, nothing } from 'lit';
import type { FieldOf } from '../nodeForm/formTypes.ts';
import './choiceBox.ts';
import { describedBy, type FieldPage, inputId, setting } from './fieldPage.ts';
import { type ChoiceGroup, variableGroups, variableText } from './variableChoices.ts';

/** A choice of fixed values; if other values are allowed, a text field that suggests the known ones. */
export function selectField(field: FieldOf<'select'>, page: FieldPage, label: string | undefined): unknown {
	const { form, strings } = page;
	const { path, value, options, closed, required } = field;
	const set = (chosen: string) => page.edit(setting(form, path, chosen === '' ? undefined : chosen));
	if (!closed) {
		return box(field, page, label, value, [{ label: '', choices: options.map(plainChoice) }], set);
	}
	const shown = options.includes(value) || value === '' ? options : [value, ...options];
	return html`<select id=${inputId(field)} aria-label=${label ?? nothing} aria-describedby=${describedBy(field) || nothing} aria-invalid=${field.faults.length > 0 ? 'true' : nothing} ?disabled=${!form.editable}
		@change=${(event: Event) => set((event.target as HTMLSelectElement).value)}>
		${value === '' || !required ? html`<option value="" .selected=${value === ''}>${strings.unset}</option>` : nothing}
		${shown.map(option => html`<option value=${option} .selected=${option === value}>${option}</option>`)}
	</select>`;
}

/** The name of a model: one of the known ones, or any other. */
export function modelNameField(field: FieldOf<'modelName'>, page: FieldPage, label: string | undefined): unknown {
	const { form } = page;
	return box(field, page, label, field.value, [{ label: '', choices: form.models.map(plainChoice) }], name =>
		page.edit(setting(form, field.path, name)),
	);
}

/** A selector of a variable: one of the variables available before the node, or any typed name. */
export function selectorField(
	field: FieldOf<'selector'>,
	page: FieldPage,
	label: string | undefined,
	choose?: (selector: readonly string[]) => void,
): unknown {
	const { form } = page;
	const set = choose ?? (selector => page.edit(setting(form, field.path, selector)));
	return box(field, page, label, variableText(field.value, form.scopes), variableGroups(form.scopes, field.takes), value =>
		set(selectorOf(value)),
	);
}

/** Parses `node.name.key`, with or without the marks of a reference. */
function selectorOf(text: string): readonly string[] {
	return text
		.replace(/^\{\{#(.*)#\}\}$/, '$1')
		.split('.')
		.map(part => part.trim())
		.filter(part => part !== '');
}

function plainChoice(value: string) {
	return { value, label: value, detail: '' };
}

function box(
	field: FieldOf<'select' | 'modelName' | 'selector'>,
	{ form, strings }: FieldPage,
	label: string | undefined,
	text: string,
	groups: readonly ChoiceGroup[],
	choose: (value: string) => void,
): unknown {
	return html`<choice-box .inputId=${inputId(field)} .text=${text} .groups=${groups} .label=${label} .described=${describedBy(field)} .placeholder=${strings.unset} .off=${!form.editable} .invalid=${field.faults.length > 0} .strings=${strings} .choose=${choose}></choice-box>`;
}
