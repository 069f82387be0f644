import { html } from 'lit';
import { fill } from '../../shared/fill.ts';
import type { FieldOf, NodeFormField } from '../nodeForm/formTypes.ts';
import type { FieldPage } from './fieldPage.ts';
import { groupField } from './groupField.ts';
import { itemsView } from './listField.ts';

/** The messages of a prompt: role and text, plain or as a template. */
export function messagesField(field: FieldOf<'list'>, page: FieldPage): unknown {
	const { strings } = page;
	const name = (at: number) => fill(strings.message, at + 1);
	return itemsView(field, page, {
		name: (_, at) => name(at),
		body: (item, at) => (item.kind === 'group' ? messageView(item, name(at), page) : page.input(item, name(at))),
		add: strings.addMessage,
	});
}

function messageView({ fields, path }: FieldOf<'group'>, name: string, page: FieldPage): unknown {
	const named = (wanted: string) => fields.find(field => field.name === wanted);
	const edition = named('edition_type');
	const isTemplate = edition?.kind === 'select' && edition.value === 'jinja2';
	const text = named(isTemplate ? 'jinja2_text' : 'text');
	const head = [named('role'), text].filter(each => each !== undefined);
	// fields that aren't in use go to "More"
	const rest = fields.filter(field => !head.includes(field)).map((field): NodeFormField => ({ ...field, rare: true }));
	return html`${head.map(field => page.input(field, `${name}: ${field.label}`))}${groupField({ fields: rest, path }, page)}`;
}
