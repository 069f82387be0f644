import { html } from 'lit';
import type { FieldOf } from '../nodeForm/formTypes.ts';
import './draftInput.ts';
import { type FieldPage, getDescriptionIds, getInputId } from './fieldPage.ts';
import { readText } from './readings.ts';
import { createCommit } from './textField.ts';

/** Renders code or a template, which can be edited in place or as a document in its own language. */
export function renderCode(field: FieldOf<'code'>, page: FieldPage, label: string | undefined): unknown {
	const { form, strings } = page;
	return html`<draft-input class="code" .inputId=${getInputId(field)} .value=${field.value} .held=${field.held} .many=${true} .mono=${true} .off=${!form.editable} .invalid=${field.faults.length > 0} .label=${label} .described=${getDescriptionIds(field)} .strings=${strings}
			.read=${(text: string) => readText(text, field)} .commit=${createCommit(field, page)}></draft-input>
		<button type="button" class="linkButton" @click=${() => page.openCode(field.path)}><span class="codicon codicon-go-to-file" aria-hidden="true"></span> ${strings.openCode}</button>`;
}
