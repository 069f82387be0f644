import { html, nothing } from 'lit';
import type { FieldOf } from '../nodeForm/formTypes.ts';
import './choiceBox.ts';
import { createSetOperation, type FieldPage, getDescriptionIds, getInputId } from './fieldPage.ts';
import { type ChoiceGroup, formatVariable, groupVariables } from './variableChoices.ts';

/** Renders a choice of fixed values; if other values are allowed, a text field that suggests the known ones. */
export function renderSelect(field: FieldOf<'select'>, page: FieldPage, label: string | undefined): unknown {
	const { form, strings } = page;
	const { path, value, options, closed, required } = field;
	const setValue = (chosen: string) => page.edit(createSetOperation(form, path, chosen === '' ? undefined : chosen));
	if (!closed) {
		return renderChoiceBox(field, page, label, value, [{ label: '', choices: options.map(toChoice) }], setValue);
	}
	const shown = options.includes(value) || value === '' ? options : [value, ...options];
	return html`<select id=${getInputId(field)} aria-label=${label ?? nothing} aria-describedby=${getDescriptionIds(field) || nothing} aria-invalid=${field.faults.length > 0 ? 'true' : nothing} ?disabled=${!form.editable}
		@change=${(event: Event) => setValue((event.target as HTMLSelectElement).value)}>
		${value === '' || !required ? html`<option value="" .selected=${value === ''}>${strings.unset}</option>` : nothing}
		${shown.map(option => html`<option value=${option} .selected=${option === value}>${option}</option>`)}
	</select>`;
}

/** Renders a text field for the name of a model, which suggests the known models. */
export function renderModelName(field: FieldOf<'modelName'>, page: FieldPage, label: string | undefined): unknown {
	const { form } = page;
	return renderChoiceBox(field, page, label, field.value, [{ label: '', choices: form.models.map(toChoice) }], name =>
		page.edit(createSetOperation(form, field.path, name)),
	);
}

/** Renders a text field for a selector, which suggests the variables available before the node. */
export function renderSelector(
	field: FieldOf<'selector'>,
	page: FieldPage,
	label: string | undefined,
	choose?: (selector: readonly string[]) => void,
): unknown {
	const { form } = page;
	const set = choose ?? (selector => page.edit(createSetOperation(form, field.path, selector)));
	return renderChoiceBox(field, page, label, formatVariable(field.value, form.scopes), groupVariables(form.scopes, field.takes), value =>
		set(parseSelector(value)),
	);
}

/** Parses `node.name.key`, with or without the marks of a reference. */
function parseSelector(text: string): readonly string[] {
	return text
		.replace(/^\{\{#(.*)#\}\}$/, '$1')
		.split('.')
		.map(part => part.trim())
		.filter(part => part !== '');
}

function toChoice(value: string) {
	return { value, label: value, detail: '' };
}

function renderChoiceBox(
	field: FieldOf<'select' | 'modelName' | 'selector'>,
	{ form, strings }: FieldPage,
	label: string | undefined,
	text: string,
	groups: readonly ChoiceGroup[],
	choose: (value: string) => void,
): unknown {
	return html`<choice-box .inputId=${getInputId(field)} .text=${text} .groups=${groups} .label=${label} .described=${getDescriptionIds(field)} .placeholder=${strings.unset} .off=${!form.editable} .invalid=${field.faults.length > 0} .strings=${strings} .choose=${choose}></choice-box>`;
}
