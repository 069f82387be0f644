import { html, nothing } from 'lit';
import type { FieldOf } from '../nodeForm/formTypes.ts';
import './choiceBox.ts';
import { DraftInput } from './draftInput.ts';
import { createSetOperation, type FieldPage, getDescriptionIds, getInputId } from './fieldPage.ts';
import { readText } from './readings.ts';
import { groupVariables } from './variableChoices.ts';

/** Renders a text field; if it can contain references, also a button that inserts variables. */
export function renderText(field: FieldOf<'text'>, page: FieldPage, label: string | undefined): unknown {
	const { form, strings } = page;
	const id = getInputId(field);
	const key = `variables ${id}`;
	return html`<div class="fieldRow">
			<draft-input class="grow" .inputId=${id} .value=${field.value} .held=${field.held} .many=${field.many} .off=${!form.editable} .invalid=${field.faults.length > 0} .label=${label} .described=${getDescriptionIds(field)} .strings=${strings}
				.read=${(text: string) => readText(text, field)} .commit=${createCommit(field, page)}></draft-input>
			${
				field.references && form.editable
					? html`<button type="button" class="iconButton codicon codicon-symbol-variable" title=${strings.insertVariable} aria-label=${strings.insertVariable} aria-expanded=${page.isOpen(key) ? 'true' : 'false'} @mousedown=${(event: Event) => event.preventDefault()}
						@click=${() => page.setOpen(key, !page.isOpen(key))}></button>`
					: nothing
			}
		</div>
		${field.references && form.editable && page.isOpen(key) ? renderVariableInserter(field, page, key) : nothing}`;
}

/** Returns the callback that writes the draft of a field to the file. */
export function createCommit({ path }: Pick<FieldOf<'text'>, 'path'>, page: FieldPage): (value: unknown, paused: boolean) => void {
	const { form } = page;
	return (value, paused) =>
		paused ? page.edit(createSetOperation(form, path, value)) : page.sendTyped(createSetOperation(form, path, value));
}

function renderVariableInserter(field: FieldOf<'text'>, page: FieldPage, key: string): unknown {
	const { form, strings } = page;
	const id = getInputId(field);
	const insertVariable = (value: string) => {
		page.setOpen(key, false);
		const input = document.getElementById(id)?.closest('draft-input');
		if (input instanceof DraftInput) {
			input.insertText(`{{#${value}#}}`);
		}
	};
	return html`<choice-box class="inserter" .inputId=${`${id}-variables`} .text=${''} .label=${strings.insertVariable} .placeholder=${strings.insertVariable} .groups=${groupVariables(form.scopes, undefined)} .strings=${strings}
		.choose=${insertVariable} .leave=${() => page.setOpen(key, false)}></choice-box>`;
}
