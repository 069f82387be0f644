import { html } from 'lit';
import { fill } from '../../shared/fill.ts';
import type { FieldOf, NodeFormField } from '../nodeForm/formTypes.ts';
import type { FieldPage } from './fieldPage.ts';
import { renderGroup } from './groupField.ts';
import { renderItems } from './listField.ts';

/** Renders the messages of a prompt: role and text, plain or as a template. */
export function renderMessages(field: FieldOf<'list'>, page: FieldPage): unknown {
	const { strings } = page;
	const formatMessageName = (at: number) => fill(strings.message, at + 1);
	return renderItems(field, page, {
		getName: (_, at) => formatMessageName(at),
		renderBody: (item, at) =>
			item.kind === 'group' ? renderMessage(item, formatMessageName(at), page) : page.renderInput(item, formatMessageName(at)),
		add: strings.addMessage,
	});
}

function renderMessage({ fields, path }: FieldOf<'group'>, name: string, page: FieldPage): unknown {
	const findField = (wanted: string) => fields.find(field => field.name === wanted);
	const edition = findField('edition_type');
	const isTemplate = edition?.kind === 'select' && edition.value === 'jinja2';
	const text = findField(isTemplate ? 'jinja2_text' : 'text');
	const head = [findField('role'), text].filter(each => each !== undefined);
	// move fields that aren't in use to "More"
	const rest = fields.filter(field => !head.includes(field)).map((field): NodeFormField => ({ ...field, rare: true }));
	return html`${head.map(field => page.renderInput(field, `${name}: ${field.label}`))}${renderGroup({ fields: rest, path }, page)}`;
}
