import * as vscode from 'vscode';
import { inputPlacePattern } from '#contract/inputPlaces.ts';
import type { FileSource, FormAnswerMessage, FormFile } from '#runs/forms/formAnswer.ts';
import type { FormField, RunForm } from '#runs/forms/runForm.ts';
import { escapeLinks, toOneLine } from '../../platform/wording.ts';

type Values = FormAnswerMessage['values'];

/** Lets the user choose files for a field. */
type Files = (field: FormField, from: FileSource) => Promise<readonly FormFile[]>;

/** Asks for the answer to a form, field by field. `given` contains the previous values. Returns `undefined` if the user cancels. */
export async function askForm(form: RunForm, given: Values, files: Files): Promise<FormAnswerMessage | undefined> {
	const values: Record<string, string | FormFile[]> = { ...given };
	const steps = form.inputs.length + 1;
	for (const [place, field] of form.inputs.entries()) {
		const title = `${form.title} (${place + 1}/${steps})`;
		const value = await askField(field, title, form, values[field.name], files);
		if (value === undefined) {
			return undefined;
		}
		values[field.name] = value;
	}
	const action = await vscode.window.showQuickPick(
		form.actions.map(({ id, title }) => ({ label: title, id })),
		{ title: `${form.title} (${steps}/${steps})`, placeHolder: getFormText(form), ignoreFocusOut: true },
	);
	return action && { action: action.id, values };
}

async function askField(
	field: FormField,
	title: string,
	form: RunForm,
	given: string | readonly FormFile[] | undefined,
	files: Files,
): Promise<string | FormFile[] | undefined> {
	const { name, kind, options, value } = field;
	const first = typeof given === 'string' ? given : value;
	if (kind === 'select') {
		const items = options.map(label => ({ label, ...(label === first && { description: vscode.l10n.t('previous answer') }) }));
		return (await vscode.window.showQuickPick(items, { title, placeHolder: name, ignoreFocusOut: true }))?.label;
	}
	if (kind === 'paragraph') {
		return vscode.window.showInputBox({
			title,
			prompt: escapeLinks(`${name} · ${getFormText(form)}`),
			value: first,
			ignoreFocusOut: true,
		});
	}
	const from = await askFileSource(field, title);
	const chosen = from && (await files(field, from));
	return chosen && chosen.length > 0 ? [...chosen] : undefined;
}

async function askFileSource({ name, uploads, links }: FormField, title: string): Promise<FileSource | undefined> {
	if (!uploads || !links) {
		return links ? 'address' : 'machine';
	}
	const machine = { label: vscode.l10n.t('From this machine'), from: 'machine' as const };
	const address = { label: vscode.l10n.t('From a URL'), from: 'address' as const };
	return (await vscode.window.showQuickPick([machine, address], { title, placeHolder: name, ignoreFocusOut: true }))?.from;
}

/** Returns the text of the form on one line, without its field placeholders. */
function getFormText({ content }: RunForm): string {
	return toOneLine(content.replace(inputPlacePattern, '…').replace(/^[#>*\s-]+/, ''), 200);
}
