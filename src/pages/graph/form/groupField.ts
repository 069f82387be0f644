import { html, nothing } from 'lit';
import { formatList } from '../../shared/format.ts';
import type { FieldOf, NodeFormField } from '../nodeForm/formTypes.ts';
import { type FieldPage, getInputId } from './fieldPage.ts';

/** Renders the fields of an object: the common ones, then the rare ones under "More". */
export function renderGroup({ fields, path }: Pick<FieldOf<'group'>, 'fields' | 'path'>, page: FieldPage): unknown {
	const shown = fields.filter(field => field.kind !== 'kept');
	const rare = shown.filter(({ rare: isRare }) => isRare);
	const key = `more ${getInputId({ path })}`;
	return html`<div class="fieldGroup">
		${shown.filter(field => !rare.includes(field)).map(field => page.renderField(field))}
		${rare.length > 0 ? renderRareFields(rare, key, page) : nothing}
	</div>`;
}

/** Renders rare fields, which are collapsed by default. The summary lists those that the file has. */
function renderRareFields(fields: readonly NodeFormField[], key: string, page: FieldPage): unknown {
	const isOpen = page.isOpen(key) || fields.some(({ faults }) => faults.length > 0);
	const written = fields.filter(field => field.written).map(({ label }) => label);
	return html`<details ?open=${isOpen} @toggle=${(event: Event) => page.setOpen(key, (event.currentTarget as HTMLDetailsElement).open)}>
		<summary>${page.strings.more}${written.length > 0 ? html` <span class="dim">${formatList(written)}</span>` : nothing}</summary>
		${isOpen ? html`<div class="fieldGroup">${fields.map(field => page.renderField(field))}</div>` : nothing}
	</details>`;
}
