import * as vscode from 'vscode';
import { getNodeTypeTitles } from '#agentFile/nodeKinds/typeTitles.ts';
import { getOwnField } from '#base/records/ownField.ts';
import type { NodeForm, NodeFormField } from '#pages/graph/nodeForm/formTypes.ts';
import { fieldLabelComment } from '#pages/graph/nodeForm/schemaForms.ts';

const { t } = vscode.l10n;

/** Translates the labels of a form. Its descriptions are translated when the schema is loaded. */
export function translateForm(form: NodeForm): NodeForm {
	const title = getOwnField(getNodeTypeTitles(vscode.l10n), form.type);
	return {
		...form,
		about: [title, form.about].filter(Boolean).join(' · '),
		sections: form.sections.map(section => ({ ...section, fields: section.fields.map(translateField) })),
	};
}

function translateField(field: NodeFormField): NodeFormField {
	const { path, name, label } = field;
	const isLabeled = typeof path.at(-1) === 'string' && label !== name;
	return translateNestedField({
		...field,
		label: isLabeled ? t({ message: label, comment: [fieldLabelComment] }) : label,
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
