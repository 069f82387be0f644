import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { fill } from '../../shared/fill.ts';
import { formatList } from '../../shared/format.ts';
import type { FieldOf, NodeFormField } from '../nodeForm/formTypes.ts';
import { createSetOperation, type FieldPage, getInputId } from './fieldPage.ts';
import { renderGroup } from './groupField.ts';

interface ItemLook {
	/** Returns the label of an item, for its buttons and for screen readers. */
	getName(item: NodeFormField, at: number): string;
	/** Renders the content of the item's header. */
	renderHead?(item: NodeFormField, at: number): unknown;
	renderBody(item: NodeFormField, at: number): unknown;
	readonly add: string;
}

/** Renders a list: its items with their buttons, and a button that adds an item. */
export function renderList(field: FieldOf<'list'>, page: FieldPage): unknown {
	const { strings } = page;
	return renderItems(field, page, {
		getName: (_, at) => (field.look === 'classes' ? fill(strings.classOf, at + 1) : fill(strings.item, field.label, at + 1)),
		renderHead: item => renderHandleTargets(item, page),
		renderBody: item =>
			item.kind === 'group' ? renderGroup(item, page) : page.renderInput(item, fill(strings.item, field.label, item.name)),
		add: field.look === 'classes' ? strings.addClass : fill(strings.addTo, field.label),
	});
}

export function renderItems(field: FieldOf<'list'>, page: FieldPage, look: ItemLook): unknown {
	const { form } = page;
	const { path, items } = field;
	const add = () => page.add(path, now => now.kind === 'list' && addItem(now, page));
	return html`<div class="items" id=${getInputId(field)}>
			${repeat(
				items,
				({ key }) => key,
				(item, at) => html`<div class="item" id="${getInputId(item)}-item" role="group" aria-label=${look.getName(item, at)}>
				<div class="itemHead"><span class="itemName">${look.getName(item, at)}</span><span class="grow dim">${look.renderHead?.(item, at) ?? nothing}</span>${form.editable ? renderItemButtons(field, at, look.getName(item, at), page) : nothing}</div>
				${renderRemovalNote(field, item, at, page)}
				${look.renderBody(item, at)}
			</div>`,
			)}
		</div>
		${form.editable ? html`<button type="button" class="linkButton" @click=${add}><span class="codicon codicon-add" aria-hidden="true"></span> ${look.add}</button>` : nothing}`;
}

function addItem({ path, items, fresh, written }: FieldOf<'list'>, page: FieldPage): void {
	const { node } = page.form;
	page.focusLater([...path, items.length]);
	// a list that the file doesn't have yet is created with its first item
	page.edit(written ? { do: 'insertItem', node, path, at: items.length, value: fresh } : createSetOperation(page.form, path, [fresh]));
}

/** Shows the targets of an item that has an output handle. */
export function renderHandleTargets(item: NodeFormField, { strings }: FieldPage): unknown {
	const way = item.kind === 'group' ? item.way : undefined;
	return way ? (way.targets.length > 0 ? fill(strings.leadsTo, formatList(way.targets)) : strings.leadsNowhere) : nothing;
}

function renderItemButtons({ path, items }: FieldOf<'list'>, at: number, name: string, page: FieldPage): unknown {
	const { form, strings } = page;
	const moveItem = (to: number) => page.edit({ do: 'moveItem', node: form.node, path, at, to });
	const renderButton = (icon: string, label: string, off: boolean, act: () => void) =>
		html`<button type="button" class="iconButton codicon codicon-${icon}" title=${fill(label, name)} aria-label=${fill(label, name)} ?disabled=${off} @click=${act}></button>`;
	return html`${
		items.length > 1
			? html`${renderButton('arrow-up', strings.up, at === 0, () => moveItem(at - 1))}${renderButton('arrow-down', strings.down, at === items.length - 1, () => moveItem(at + 1))}`
			: nothing
	}${renderButton('close', strings.remove, false, () => removeItem(items[at], path, at, page))}`;
}

/** Removes an item; asks first if its output handle is connected. */
function removeItem(item: NodeFormField | undefined, path: NodeFormField['path'], at: number, page: FieldPage): void {
	if (item?.kind === 'group' && item.way && item.way.targets.length > 0) {
		page.setOpen(`remove ${getInputId(item)}`, true);
	} else {
		page.edit({ do: 'removeItem', node: page.form.node, path, at });
	}
}

function renderRemovalNote({ path }: FieldOf<'list'>, item: NodeFormField, at: number, page: FieldPage): unknown {
	const key = `remove ${getInputId(item)}`;
	if (!page.isOpen(key) || item.kind !== 'group') {
		return nothing;
	}
	const { form, strings } = page;
	const removeConnectedItem = () => {
		page.setOpen(key, false);
		page.edit({ do: 'removeItem', node: form.node, path, at });
	};
	return html`<p class="fieldNote" role="alert">${fill(strings.wayLost, formatList(item.way?.targets ?? []))}
		<button type="button" class="linkButton" @click=${removeConnectedItem}>${strings.removeAnyway}</button>
		<button type="button" class="linkButton" @click=${() => page.setOpen(key, false)}>${strings.keep}</button></p>`;
}
