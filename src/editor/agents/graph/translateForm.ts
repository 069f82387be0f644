import * as vscode from 'vscode';
import { getNodeTypeTitles } from '#agentFile/nodeKinds/typeTitles.ts';
import { getOwnField } from '#base/records/ownField.ts';
import type { NodeForm, NodeFormField } from '#pages/graph/nodeForm/formTypes.ts';
import { fieldLabelComment } from '#pages/graph/nodeForm/schemaForms.ts';

const { t } = vscode.l10n;

/** Translates the strings of a form that come from media/agent.schema.json. */
export function translateForm(form: NodeForm): NodeForm {
	const title = getOwnField(getNodeTypeTitles(vscode.l10n), form.type);
	return {
		...form,
		about: [title, translateDescription(form.about)].filter(Boolean).join(' · '),
		sections: form.sections.map(section => ({ ...section, fields: section.fields.map(translateField) })),
	};
}

/** Translates a description from the schema. */
export function translateDescription(text: string): string {
	return text === '' ? '' : t(text);
}

function translateField(field: NodeFormField): NodeFormField {
	const { path, name, label, help } = field;
	const isLabeled = typeof path.at(-1) === 'string' && label !== name;
	return translateNestedField({
		...field,
		label: isLabeled ? t({ message: label, comment: [fieldLabelComment] }) : label,
		help: translateDescription(help),
	});
}

function translateNestedField(field: NodeFormField): NodeFormField {
	switch (field.kind) {
		case 'group':
			return { ...field, fields: field.fields.map(translateField) };
		case 'list':
			return { ...field, items: field.items.map(translateField), ...(field.next && { next: translateField(field.next) }) };
		case 'map':
			return { ...field, entries: field.entries.map(translateField), ...(field.next && { next: translateField(field.next) }) };
		default:
			return field;
	}
}
