import { html, nothing } from 'lit';
import { fill } from '../../shared/fill.ts';
import type { FieldOf, NodeFormField } from '../nodeForm/formTypes.ts';
import './draftInput.ts';
import { type FieldPage, inputId, setting } from './fieldPage.ts';
import { groupField } from './groupField.ts';

/** A map: values with names that the user chooses. */
export function mapField(field: FieldOf<'map'>, page: FieldPage): unknown {
	const { form, strings } = page;
	const { path, entries } = field;
	const add = () =>
		page.add(path, now => {
			if (now.kind === 'map') {
				const name = freeKey(now.entries.map(entry => entry.name));
				page.focusLater([...path, name]);
				page.edit(setting(form, [...path, name], now.fresh));
			}
		});
	return html`<div class="items" id=${inputId(field)}>
			${entries.map(
				entry => html`<div class="item" id="${inputId(entry)}-item" role="group" aria-label=${entry.name}>
				<div class="itemHead"><span class="grow">${keyInput(field, entry, page)}</span>${
					form.editable
						? html`<button type="button" class="iconButton codicon codicon-close" title=${fill(strings.remove, entry.name)} aria-label=${fill(strings.remove, entry.name)} @click=${() => page.edit(setting(form, entry.path, undefined))}></button>`
						: nothing
				}</div>
				${entry.kind === 'group' ? groupField(entry, page) : page.input(entry, entry.name)}
			</div>`,
			)}
		</div>
		${form.editable ? html`<button type="button" class="linkButton" @click=${add}><span class="codicon codicon-add" aria-hidden="true"></span> ${fill(strings.addTo, field.label)}</button>` : nothing}`;
}

/** The name of an entry. Renaming keeps the value. */
function keyInput(map: FieldOf<'map'>, entry: NodeFormField, page: FieldPage): unknown {
	const { form, strings } = page;
	const rename = (value: unknown, paused: boolean) => {
		const name = String(value ?? '');
		if (paused && name !== '' && name !== entry.name && !map.entries.some(each => each.name === name)) {
			page.edit(setting(form, map.path, Object.fromEntries(map.value.map(([key, held]) => [key === entry.name ? name : key, held]))));
		}
	};
	return html`<draft-input .inputId="${inputId(entry)}-key" .value=${entry.name} .off=${!form.editable} .label=${strings.name} .described=${''} .invalid=${false} .strings=${strings} .read=${(text: string) => ({ value: text })} .commit=${rename}></draft-input>`;
}

function freeKey(taken: readonly string[]): string {
	let name = 'result';
	for (let n = 2; taken.includes(name); n++) {
		name = `result_${n}`;
	}
	return name;
}
