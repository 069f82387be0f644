import { html, nothing } from 'lit';
import { fill } from '../../shared/fill.ts';
import type { FieldOf, NodeFormField } from '../nodeForm/formTypes.ts';
import './draftInput.ts';
import { createSetOperation, type FieldPage, getInputId } from './fieldPage.ts';
import { renderGroup } from './groupField.ts';

/** Renders a map: values with names that the user chooses. */
export function renderMap(field: FieldOf<'map'>, page: FieldPage): unknown {
	const { form, strings } = page;
	const { path, entries } = field;
	const add = () =>
		page.add(path, now => {
			if (now.kind === 'map') {
				const name = findFreeKey(now.entries.map(entry => entry.name));
				page.focusLater([...path, name]);
				page.edit(createSetOperation(form, [...path, name], now.fresh));
			}
		});
	return html`<div class="items" id=${getInputId(field)}>
			${entries.map(
				entry => html`<div class="item" id="${getInputId(entry)}-item" role="group" aria-label=${entry.name}>
				<div class="itemHead"><span class="grow">${renderKey(field, entry, page)}</span>${
					form.editable
						? html`<button type="button" class="iconButton codicon codicon-close" title=${fill(strings.remove, entry.name)} aria-label=${fill(strings.remove, entry.name)} @click=${() => page.edit(createSetOperation(form, entry.path, undefined))}></button>`
						: nothing
				}</div>
				${entry.kind === 'group' ? renderGroup(entry, page) : page.renderInput(entry, entry.name)}
			</div>`,
			)}
		</div>
		${form.editable ? html`<button type="button" class="linkButton" @click=${add}><span class="codicon codicon-add" aria-hidden="true"></span> ${fill(strings.addTo, field.label)}</button>` : nothing}`;
}

/** Renders the name of an entry. Renaming keeps the value. */
function renderKey(map: FieldOf<'map'>, entry: NodeFormField, page: FieldPage): unknown {
	const { form, strings } = page;
	const renameEntry = (value: unknown, paused: boolean) => {
		const name = String(value ?? '');
		if (paused && name !== '' && name !== entry.name && !map.entries.some(each => each.name === name)) {
			page.edit(
				createSetOperation(form, map.path, Object.fromEntries(map.value.map(([key, held]) => [key === entry.name ? name : key, held]))),
			);
		}
	};
	return html`<draft-input .inputId="${getInputId(entry)}-key" .value=${entry.name} .off=${!form.editable} .label=${strings.name} .described=${''} .invalid=${false} .strings=${strings} .read=${(text: string) => ({ value: text })} .commit=${renameEntry}></draft-input>`;
}

function findFreeKey(taken: readonly string[]): string {
	let name = 'result';
	for (let n = 2; taken.includes(name); n++) {
		name = `result_${n}`;
	}
	return name;
}
